import type { LanguageModelV4StreamPart, LanguageModelV4ToolCall } from '@ai-sdk/provider';
import { type LanguageModelMiddleware, wrapLanguageModel } from 'ai';
import { textOf } from '#e2e/lib/scenarios/checks.ts';
import { MemoryHost } from '#hosts/memory/memory-host.ts';
import type { AgentModel } from '#lib/agent/agent-model.ts';
import { userMessage } from '#lib/agent/test/messages.ts';
import { finish, streamOf } from '#lib/agent/test/scripted-model.ts';
import type { AssistantMessage } from '#lib/messages/message.ts';
import { catalogueText, readCatalogue } from '#lib/tools/catalogue/catalogue.ts';
import { resultText } from '#lib/tools/core/tool-call.ts';
import { TOOLSETS } from '#lib/tools/toolset-names.ts';
import { fragments } from '#lib/tools/toolsets.ts';
import { filesBelow } from '#lib/vfs/files-below.ts';
import { fill } from '#lib/vfs/test/contract.ts';
import { DEFAULT_SYSTEM_PROMPT } from '#studio/settings.ts';
import type { Arm } from './arms.ts';
import { processEvaluator } from './evaluator.ts';
import type { Task } from './task.ts';

/** The tools that a model gets. */
export const TOOL_CHOICES = ['few', 'all'] as const;

export type ToolChoice = (typeof TOOL_CHOICES)[number];

const FEW = new Set(['list_directory', 'read_file', 'write_file', 'browser_js_eval']);

/** Steps of one conversation. A model that needs more goes on without end. */
export const MAX_STEPS = 6;

/** One reply of a model, as it came from the server. */
export interface RecordedReply {
  text: string;
  reasoning: string;
  calls: { name: string; input: string }[];
  finishReason: string;
  inputTokens: number;
  outputTokens: number;
  ms: number;
}

/** One call of a conversation. */
export interface RecordedCall {
  /** Of the step that made it, from 0. */
  step: number;
  name: string;
  input: unknown;
  /** The beginning of the result that the model got. */
  output: string;
  /** The code of the error; absent if the call did not fail. */
  code?: string;
}

/** A conversation and its outcome. */
export interface Played {
  replies: RecordedReply[];
  calls: RecordedCall[];
  /** Codes of the notices of each step. */
  notices: string[][];
  answer: string;
  /** Whether the first call was right; absent if no call was needed. */
  isFirstRight?: boolean;
  isAnswered: boolean;
}

const OUTPUT_KEPT = 2_000;

/** The source of replies: the model, or a recording. */
export interface ReplySource {
  model: AgentModel;
  /** Before a request, for instance to set its seed. */
  prepare?: LanguageModelMiddleware['transformParams'];
  /** Asks for the first reply only, and answers all others with nothing that counts. */
  firstOnly?: boolean;
}

/** Plays a task's conversation. Rejects if the server fails. */
export async function playTask(
  task: Task,
  arm: Arm,
  tools: ToolChoice,
  { model, prepare, firstOnly = false }: ReplySource,
): Promise<Played> {
  const host = new MemoryHost();
  host.tools.capabilities.sandbox = processEvaluator;
  await fill(host.files, task.files);
  const replies: RecordedReply[] = [];
  /** The workspace after as many replies. */
  const states: ReadonlyMap<string, string>[] = [];
  const recorder = recordReplies(
    async () => {
      // A request that is repeated comes after the same reply.
      states[replies.length] = await filesOf(host);
    },
    replies,
    prepare,
    () => firstOnly && replies.length > 0,
  );
  const offered = host.tools.list().filter(({ name }) => tools === 'all' || FEW.has(name));
  const turn = await host.play(
    {
      ...model,
      toolCalling: arm.toolCalling,
      protocol: arm.protocol,
      create: () => arm.wrap(wrapLanguageModel({ model: model.create(), middleware: recorder })),
    },
    [userMessage(task.ask)],
    {
      catalogue: readCatalogue(catalogueText(offered, fragments)),
      settings: { systemPrompt: DEFAULT_SYSTEM_PROMPT, toolsets: [...TOOLSETS], toolCalling: arm.toolCalling },
      limits: { maxSteps: MAX_STEPS, resultShare: 0.25, replyMaxChars: 20_000, maxRetries: 2 },
    },
  );
  const files = await filesOf(host);
  const calls = callsOf(turn);
  const [first] = calls;
  const answer = lastTextOf(turn);
  const isFirstRight =
    first !== undefined &&
    first.step === 0 &&
    task.isFirstRight?.({
      ...first,
      hasFailed: first.code !== undefined,
      files: states[1] ?? files,
    }) === true;
  return {
    replies,
    calls: calls.map((call) => ({ ...call, output: call.output.slice(0, OUTPUT_KEPT) })),
    notices: turn.parts.flatMap((part) => (part.type === 'step' ? [part.notices.map(({ code }) => code)] : [])),
    answer,
    ...(task.isFirstRight !== undefined && { isFirstRight }),
    isAnswered: task.isAnswered({ answer, files }) && (task.isFirstRight === undefined ? calls.length === 0 : true),
  };
}

async function filesOf(host: MemoryHost): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for await (const { path } of filesBelow(host.files, '/'))
    files.set(path, new TextDecoder().decode(await host.files.readFile(path)));
  return files;
}

function callsOf({ parts }: AssistantMessage): RecordedCall[] {
  let step = -1;
  return parts.flatMap((part): RecordedCall[] => {
    if (part.type === 'step') step++;
    if (part.type !== 'tool-call') return [];
    const { toolName: name, input, inputText, result } = part;
    return [
      {
        step,
        name,
        input: input ?? inputText,
        output: resultText(result),
        ...(result?.type === 'tool-error' && { code: result.code }),
      },
    ];
  });
}

/** The text after the last call: the answer to the person. */
function lastTextOf(turn: AssistantMessage): string {
  const last = turn.parts.findLastIndex(({ type }) => type === 'tool-call');
  return textOf({ ...turn, parts: turn.parts.slice(last + 1) });
}

/** Records what a model replies, directly at the server's side. */
function recordReplies(
  onRequest: () => Promise<void>,
  replies: RecordedReply[],
  prepare: LanguageModelMiddleware['transformParams'],
  isOver: () => boolean,
): LanguageModelMiddleware {
  return {
    specificationVersion: 'v4',
    ...(prepare !== undefined && { transformParams: prepare }),
    wrapStream: async ({ doStream }) => {
      // The agent asks again after an empty reply, which makes no step.
      const last = replies.at(-1);
      if (last !== undefined && last.text.trim() === '' && last.calls.length === 0) replies.pop();
      await onRequest();
      if (isOver()) return { stream: streamOf(NOT_ASKED) };
      const startedAt = performance.now();
      const { stream, ...rest } = await doStream();
      const reply = { text: '', reasoning: '', calls: [] as RecordedReply['calls'] };
      const record = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        transform(part, controller) {
          if (part.type === 'text-delta') reply.text += part.delta;
          if (part.type === 'reasoning-delta') reply.reasoning += part.delta;
          if (part.type === 'tool-call') reply.calls.push(callOf(part));
          if (part.type === 'finish')
            replies.push({
              ...reply,
              finishReason: part.finishReason.unified,
              inputTokens: part.usage.inputTokens.total ?? 0,
              outputTokens: part.usage.outputTokens.total ?? 0,
              ms: Math.round(performance.now() - startedAt),
            });
          controller.enqueue(part);
        },
      });
      return { stream: stream.pipeThrough(record), ...rest };
    },
  };
}

const NOT_ASKED: readonly LanguageModelV4StreamPart[] = [
  { type: 'text-start', id: 'text' },
  { type: 'text-delta', id: 'text', delta: '(not asked)' },
  { type: 'text-end', id: 'text' },
  finish(),
];

const callOf = ({ toolName: name, input }: LanguageModelV4ToolCall) => ({ name, input });
