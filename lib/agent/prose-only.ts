import type { AssistantMessage, Message } from '#lib/messages/message.ts';
import { PROSE_TURNS } from './limits.ts';

/** Matches the beginning of an absolute path in a question. */
const PATH = /(?:^|[\s"'“‘「『（(：:])\/[\p{L}\p{N}_.-]/u;

/**
 * Checks whether a model has tools but has called none in the branch, and this turn is the last of `PROSE_TURNS` answers in a
 * row to questions that name a path. The model may then have made its answers up. False if a step of the branch already has a
 * notice of that.
 */
export function writesOnlyProse(messages: readonly Message[], turn: AssistantMessage, modelId: string): boolean {
  const branch = [...messages.slice(0, -1), turn];
  const parts = branch.flatMap((message) => (message.role === 'assistant' ? message.parts : []));
  if (parts.some(({ type }) => type === 'tool-call')) return false;
  if (parts.some((part) => part.type === 'step' && part.notices.some(({ code }) => code === 'prose-only')))
    return false;
  const latest = branch.slice(-2 * PROSE_TURNS);
  return (
    latest.length === 2 * PROSE_TURNS &&
    latest.every((message, index) =>
      index % 2 === 0
        ? message.role === 'user' && message.parts.some((part) => part.type === 'text' && PATH.test(part.text))
        : message.role === 'assistant' && isAnsweredBy(message, modelId),
    )
  );
}

const isAnsweredBy = ({ parts }: AssistantMessage, modelId: string): boolean => {
  const steps = parts.filter((part) => part.type === 'step');
  return steps.length > 0 && steps.every(({ model, settings }) => model === modelId && settings.toolsets.length > 0);
};
