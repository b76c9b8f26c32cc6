import { diff3Merge } from 'node-diff3';
import { messageOf } from '#lib/base/message-of.ts';
import { sha256 } from '#lib/base/sha256.ts';
import { canPropose } from '#lib/tools/core/can-propose.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import { type ToolCall, ToolFailure } from '#lib/tools/core/tool-call.ts';
import type { KnownFiles } from '#lib/tools/execution/known-files.ts';
import { parseToolInput } from '#lib/tools/schema/parse-input.ts';
import { resolvePath } from '#lib/vfs/paths.ts';
import { decodeUtf8 } from '#lib/vfs/text.ts';
import { splitLines } from './hunks.ts';
import { type ProposalOptions, type ProposedFile, proposedFiles, type UncomparedFile } from './proposal.ts';

/** The changes that a call would make to the files, so that people can review them before it runs. */
export interface CallProposal {
  files: readonly ProposedFile[];
  /** Files that the call would change as well, but that are not compared: too many, or too large. */
  uncompared: readonly UncomparedFile[];
  /**
   * Whether the model wrote a whole file from an older version of it. The proposal then has both: what the model changed,
   * and what was changed since.
   */
  isStale: boolean;
  /** The reason why the call would fail, if it would. */
  problem?: string;
}

/** The proposal of a call that changes no files, or whose changes cannot be known before it runs. */
export const NO_PROPOSAL: CallProposal = { files: [], uncompared: [], isStale: false };

/**
 * Finds what a call would do to the files if it ran now; nothing is written. Never rejects: for a call that would fail, the
 * proposal has the reason as `problem` or, if the model wrote a whole file from an older version of it, a merge (`isStale`).
 * `NO_PROPOSAL` if the arguments are invalid, or the changes cannot be known before the call runs.
 */
export async function proposalOf(
  call: Pick<ToolCall, 'input'>,
  tool: Tool,
  options: ProposalOptions,
): Promise<CallProposal> {
  const parsed = parseToolInput(tool, call.input);
  if (!canPropose(tool) || !parsed.success) return NO_PROPOSAL;
  try {
    return { ...(await proposedFiles(tool, parsed.data, options)), isStale: false };
  } catch (error) {
    const problem = messageOf(error);
    const merged = error instanceof ToolFailure ? await merge(tool, parsed.data, options) : undefined;
    return merged ?? { ...NO_PROPOSAL, problem };
  }
}

/**
 * Finds the changes of a call that is refused only because a file has changed since the model read it, merged with the
 * changes since. Undefined if the call is refused for another reason, or the text that the model read is not available.
 */
async function merge(
  tool: Tool,
  input: unknown,
  { files, known, signal }: ProposalOptions,
): Promise<CallProposal | undefined> {
  const { presentation } = tool;
  const path = new Map(Object.entries(input ?? {})).get(presentation.files?.argument ?? '');
  if (presentation.verb !== 'write' || typeof path !== 'string') return undefined;
  const place = resolvePath(path);
  const hash = known.hashOf(place);
  const [origin, before] = [
    hash === undefined ? undefined : await known.textOf(place, hash),
    // Without its text there is nothing to merge; the proposal then says why the call would fail.
    await files.readFile(place).catch(() => undefined),
  ];
  const now = before === undefined ? undefined : decodeUtf8(before);
  if (origin === undefined || before === undefined || now === undefined) return undefined;
  // As if the model knew what is there.
  const present = await sha256(before);
  const informed: KnownFiles = { ...known, hashOf: () => present, hasSeen: () => true };
  // It would fail for another reason too; the proposal then says why the call would fail.
  const proposed = await proposedFiles(tool, input, { files, known: informed, signal }).catch(() => undefined);
  const file = proposed?.files[0];
  const after = file?.after === undefined || file.after === null ? undefined : decodeUtf8(file.after);
  if (after === undefined) return undefined;
  const merged = new TextEncoder().encode(mergeTexts(after, origin, now));
  return { files: [{ path: place, before, after: merged }], uncompared: [], isStale: true };
}

/**
 * Merges `one` and `other`, two changed versions of the text `origin`. Where both have changed the same lines, those of
 * `one` count.
 */
export function mergeTexts(one: string, origin: string, other: string): string {
  const regions = diff3Merge(splitLines(one), splitLines(origin), splitLines(other), { excludeFalseConflicts: true });
  return regions.flatMap(({ ok, conflict }) => ok ?? conflict?.a ?? []).join('');
}
