import * as z from 'zod';
import {
  type AssistantPart,
  type CompactionPart,
  compactionPartSchema,
  type Message,
  type ToolCallPart,
} from '#lib/messages/message.ts';
import type { MessageNode } from './message-tree.ts';
import { withoutUsage } from './thread-compactions.ts';

/**
 * The compactions (points from which prompts are shortened) with which a step began, as an exported file has them. `from`: the
 * point from which prompts keep everything; the summary stands for what came before it. It has no ids, but the number of the
 * message among the file's messages, and of the step in that message, both from 0. Absent if there is no summary.
 */
export const exportedCompactionsSchema = z.array(
  compactionPartSchema.extend({ from: z.object({ message: z.number(), step: z.number() }).optional() }),
);

/** A compaction (a point from which prompts are shortened) in an exported file; see `exportedCompactionsSchema`. */
export type ExportedCompaction = z.infer<typeof exportedCompactionsSchema>[number];

/** The indices of the parts that begin a turn's exported steps: those in which anything was said, thought or called. */
function stepsWithContent(message: Message | undefined): number[] {
  if (message?.role !== 'assistant') return [];
  const { parts } = message;
  return [...parts.keys()].filter((index) => {
    if (parts[index]?.type !== 'step') return false;
    const end = parts.findIndex(({ type }, at) => at > index && type === 'step');
    return parts
      .slice(index + 1, end === -1 ? parts.length : end)
      .some((part) => part.type === 'tool-call' || ('text' in part && part.text !== ''));
  });
}

/**
 * Converts a compaction (a point from which prompts are shortened) for an exported file. If it has a summary, adds `from`: the
 * numbers of the message and the step from which prompts keep everything. `kept`: the messages of the branch that the file
 * contains.
 */
export function toExportedCompaction(
  { runId: _, ...part }: CompactionPart,
  kept: readonly Message[],
): ExportedCompaction {
  const { summary } = part;
  if (summary === undefined) return part;
  const { messageId, part: at } = summary.from;
  const message = kept.findIndex(({ id }) => id === messageId);
  const step = stepsWithContent(kept[message]).filter((start) => start < at).length;
  return { ...withoutUsage(part), from: { message, step } };
}

/** The compactions of a file, by the message parts that were made of them. */
type Imported = ReadonlyMap<AssistantPart, ExportedCompaction>;

/**
 * Returns the imported nodes with their compactions (points from which prompts are shortened) completed: these refer to the
 * imported messages and calls, and have new ids of their own. A compaction is left out if the file lacks the point from which
 * its summary keeps everything. `compactions`: those of the file, by the parts made of them. `calls`: the imported calls, by
 * the ids that they have in the file.
 */
export function withImportedIds(
  nodes: readonly MessageNode[],
  compactions: Imported,
  calls: ReadonlyMap<string, ToolCallPart>,
): MessageNode[] {
  const all = nodes.map(({ message }) => message);
  // Those that are left out go first, so that the other parts are where they will be.
  const kept = all.map((message) =>
    withParts(message, (part) => {
      const compaction = compactions.get(part);
      return compaction?.summary === undefined || pointOf(compaction, all) !== undefined ? part : undefined;
    }),
  );
  return nodes.map((node, index) => {
    const message = withParts(kept[index] ?? node.message, (part) => {
      const compaction = compactions.get(part);
      return compaction === undefined ? part : imported(compaction, kept, calls);
    });
    return { ...node, message };
  });
}

function withParts(message: Message, change: (part: AssistantPart) => AssistantPart | undefined): Message {
  if (message.role === 'user') return message;
  return { ...message, parts: message.parts.flatMap((part) => change(part) ?? []) };
}

function imported(
  { from, ...part }: ExportedCompaction,
  messages: readonly Message[],
  calls: ReadonlyMap<string, ToolCallPart>,
): CompactionPart {
  const { summary, ...base } = withoutUsage(part);
  const stubs = part.stubs.flatMap((id) => calls.get(id)?.toolCallId ?? []);
  const point = pointOf({ from, ...part }, messages);
  return {
    ...base,
    id: crypto.randomUUID(),
    stubs,
    ...(summary !== undefined && point !== undefined && { summary: { ...summary, from: point } }),
  };
}

function pointOf(
  { from }: ExportedCompaction,
  messages: readonly Message[],
): NonNullable<CompactionPart['summary']>['from'] | undefined {
  const message = from && messages[from.message];
  if (message === undefined) return undefined;
  const steps = [...message.parts.keys()].filter((index) => message.parts[index]?.type === 'step');
  const part = message.role === 'user' ? 0 : steps[from?.step ?? 0];
  return part === undefined ? undefined : { messageId: message.id, part };
}
