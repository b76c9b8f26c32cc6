import { codecOf } from '#lib/prompts/codecs/codecs.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import type { Arm } from './arms.ts';
import { MAX_STEPS, type Played } from './play.ts';
import type { Task } from './task.ts';

/** The ways in which a conversation can fail, the most telling first. */
export const FAILURES = {
  'needless-call': 'a call, although the question needs none',
  'invented-result': 'a result that the model wrote itself, in place of a call or after one',
  'call-not-read': 'a call that the parser did not read',
  prose: 'prose in place of a call',
  'invalid-input': 'a first call whose arguments do not fit the schema',
  'wrong-call': 'a first call that does not lead to the answer',
  'endless-calls': `calls until the limit of ${MAX_STEPS} steps`,
  'parroted-reminder': 'words of the prompt as the answer',
  'wrong-answer': 'an answer or a workspace that is not what was asked for',
  refused: 'a request that the server refused, or could not answer',
} as const;

export type Failure = keyof typeof FAILURES;

const INVENTED = /\[tool_result|<tool_(?:response|result)|\[TOOL_RESULTS\]/;

/** The length of the pieces in which an answer is compared with the prompt, in characters. */
const PARROTED = 32;

/** Returns the reason why a conversation failed; undefined if it did not. */
export function failureOf(task: Task, arm: Arm, played: Played): Failure | undefined {
  const { replies, calls, notices, answer, isFirstRight, isAnswered } = played;
  if (isAnswered && isFirstRight !== false) return undefined;
  if (task.isFirstRight === undefined) return calls.length > 0 ? 'needless-call' : 'wrong-answer';
  const [first] = replies;
  const firstCalls = calls.filter(({ step }) => step === 0);
  if (isFirstRight === false) {
    if (firstCalls.length === 0) {
      const raw = first?.text ?? '';
      if (INVENTED.test(raw)) return 'invented-result';
      return notices[0]?.includes('call-unreadable') || looksLikeCall(raw) ? 'call-not-read' : 'prose';
    }
    const code = firstCalls[0]?.code;
    return code === 'invalid-input' || code === 'incomplete' ? 'invalid-input' : 'wrong-call';
  }
  if (notices.some((codes) => codes.includes('step-limit'))) return 'endless-calls';
  if (isParroted(answer, arm)) return 'parroted-reminder';
  if (replies.slice(1).some(({ text }) => INVENTED.test(text))) return 'invented-result';
  return notices.some((codes) => codes.includes('call-unreadable')) ? 'call-not-read' : 'wrong-answer';
}

const NAMES = toolRegistry.list().map(({ name }) => name);

/** Checks whether a person would take a text for an attempt to call a tool. */
const looksLikeCall = (text: string): boolean =>
  NAMES.some((name) => new RegExp(`${name}["'>]?\\s*[({:,\\n<]`).test(text));

function isParroted(answer: string, { toolCalling, protocol }: Arm): boolean {
  if (toolCalling !== 'prompted') return false;
  const { reminder } = codecOf(protocol.codec ?? 'json');
  for (let at = 0; at + PARROTED <= reminder.length; at += PARROTED / 4)
    if (answer.includes(reminder.slice(at, at + PARROTED))) return true;
  return false;
}
