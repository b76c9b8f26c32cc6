import type { TextStreamPart, ToolSet } from 'ai';
import type {
  AssistantMessage,
  Message,
  Notice,
  PromptSettings,
  StepPart,
  ToolCallPart,
} from '#lib/messages/message.ts';
import type { Catalogue } from '#lib/tools/catalogue/catalogue.ts';
import type { AgentModel } from './agent-model.ts';
import { type AgentLimits, MAX_CORRECTIONS, PROSE_TURNS } from './limits.ts';
import { replyNotesSchema } from './middleware/prompted-tools.ts';
import { changedInstructions } from './project-notice.ts';
import type { BuiltPrompt } from './prompt.ts';
import { writesOnlyProse } from './prose-only.ts';
import { withoutToldNotices } from './told-notices.ts';
import { leftOutTools } from './tool-settings.ts';

/** The end of a reply, as the stream reports it. */
export type StepEnd = Extract<TextStreamPart<ToolSet>, { type: 'finish-step' }>;

/** The data for a step's notices, besides its end. */
interface EndOptions {
  messages: readonly Message[];
  model: AgentModel;
  catalogue: Catalogue;
  limits: Pick<AgentLimits, 'maxSteps'>;
  prompt: BuiltPrompt;
  settings: PromptSettings;
  /** The turn with the reply. */
  turn: AssistantMessage;
  /** The call that the turn keeps repeating; undefined if it repeats none. */
  repeated: ToolCallPart | undefined;
  /** The notices from before the reply. */
  earlier: readonly Notice[];
}

/**
 * Returns the notices that tell the user about a finished step: those from before the reply (`earlier`), those about its
 * prompt, and those about the end and the calls of the reply.
 */
export function endNotices(end: StepEnd, options: EndOptions): Notice[] {
  const { messages, model, limits, prompt, settings, turn, repeated, earlier } = options;
  const { finishReason } = end;
  const notices: Notice[] = [
    ...earlier,
    ...changedInstructions(messages, settings),
    ...leftOutTools(options, settings),
    ...withoutToldNotices(prompt.notices, messages),
  ];
  if (finishReason === 'length' || finishReason === 'content-filter') notices.push({ code: finishReason });
  const unreadable = unreadableCall(end);
  if (unreadable !== undefined) {
    const toolName = prompt.naming.real(unreadable);
    notices.push({ code: 'call-unreadable', toolName, askedAgain: canAskAgain(turn, settings) });
  }
  const { postponedCall, callsInText, thoughtIsAnswer } = replyNotes(end);
  if (thoughtIsAnswer === true) notices.push({ code: 'thought-as-answer' });
  if (postponedCall !== undefined)
    notices.push({ code: 'call-postponed', toolName: prompt.naming.real(postponedCall) });
  if (callsInText === true) notices.push({ code: 'calls-in-text', model: model.id, isGivenUp: false });
  if (finishReason === 'stop' && unreadable === undefined && writesOnlyProse(messages, turn, model.id)) {
    const { toolCalling } = settings;
    notices.push({ code: 'prose-only', model: model.id, answers: PROSE_TURNS, toolCalling });
  }
  if (repeated !== undefined) notices.push({ code: 'repeated-calls', toolName: prompt.naming.real(repeated.toolName) });
  else if (settings.lastStep) notices.push({ code: 'step-limit', steps: limits.maxSteps });
  return notices;
}

function canAskAgain(turn: AssistantMessage, { lastStep }: PromptSettings): boolean {
  const latest = turn.parts.filter((part) => part.type === 'step').slice(-1 - MAX_CORRECTIONS, -1);
  return !lastStep && !(latest.length === MAX_CORRECTIONS && latest.every(isAskedAgain));
}

/**
 * Returns the findings of the agent's middleware about a reply (`ReplyNotes`), such as a call that could not be read; empty
 * if there are none.
 */
export const replyNotes = ({ providerMetadata }: StepEnd) =>
  replyNotesSchema.catch({}).parse(providerMetadata?.studio ?? {});

/**
 * Returns the name of the tool in a reply's call that could not be read; undefined if there is no such call, or if the reply
 * did not end normally.
 */
export const unreadableCall = (end: StepEnd): string | undefined =>
  end.finishReason === 'stop' ? replyNotes(end).unreadableCall : undefined;

/** Checks whether the model is asked again after a step, because a call in the step could not be read. */
export const isAskedAgain = (step: StepPart | undefined): boolean =>
  step?.notices.some((notice) => notice.code === 'call-unreadable' && notice.askedAgain) ?? false;
