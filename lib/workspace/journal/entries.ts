import * as z from 'zod';
import { ownerSchema } from '#lib/base/processes/owner.ts';

const stateSchema = z.object({
  type: z.enum(['file', 'directory', 'symlink']),
  /** POSIX permission bits. */
  mode: z.int(),
  /** Of a file. */
  size: z.number().optional(),
  /** Of a file whose content is kept. */
  hash: z.string().optional(),
  /** Of a file, as the disk told it apart from others. */
  signature: z.string().optional(),
  /** Of a symlink, as it is on disk. */
  target: z.string().optional(),
});

/** A directory entry at some time, as far as the journal knows it. */
export type EntryState = z.infer<typeof stateSchema>;

const changeSchema = z.object({ path: z.string(), before: stateSchema.nullable(), after: stateSchema.nullable() });

/** A change of one path. */
export type Change = z.infer<typeof changeSchema>;

/** Names become names of files. */
const base = { id: z.string().regex(/^[\w-]{1,100}$/), at: z.number() };

/** One line of the journal. A commit or command without its end is one whose process has ended, or is still at it. */
export const journalEntrySchema = z.discriminatedUnion('type', [
  /** A turn begins. `prompt`: how its question begins. */
  z.object({ ...base, type: z.literal('turn'), prompt: z.string() }),
  /** A commit is about to be made. `undoes`: the turn that it undoes. */
  z.object({
    ...base,
    type: z.literal('commit'),
    turn: z.string().nullable(),
    call: z.string().nullable(),
    owner: ownerSchema,
    changes: z.array(changeSchema),
    undoes: z.string().optional(),
  }),
  /** A command is about to run. What was there before is in a snapshot with its id. */
  z.object({
    ...base,
    type: z.literal('command'),
    turn: z.string().nullable(),
    call: z.string().nullable(),
    owner: ownerSchema,
  }),
  /**
   * A commit has been made, or a command has ended; `changes`: what it has changed. `uncovered`: folders of whose
   * content nothing is known; of all commands of a turn together.
   */
  z.object({
    ...base,
    type: z.literal('done'),
    changes: z.array(changeSchema).optional(),
    uncovered: z.array(z.string()).optional(),
  }),
  /** A commit has not been made. */
  z.object({ ...base, type: z.literal('failed') }),
]);

/** One line of the journal. */
export type JournalEntry = z.infer<typeof journalEntrySchema>;

/** Checks whether two states are the same. Files without a known content or signature never are. */
export function isSameState(one: EntryState | null, other: EntryState | null): boolean {
  if (one === null || other === null) return one === other;
  if (one.type !== other.type || one.mode !== other.mode || one.target !== other.target) return false;
  if (one.type !== 'file') return true;
  if (one.hash !== undefined && other.hash !== undefined) return one.hash === other.hash;
  return one.signature !== undefined && one.signature === other.signature;
}
