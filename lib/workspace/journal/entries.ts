import * as z from 'zod';
import { ownerSchema } from '#lib/base/processes/owner.ts';

const stateSchema = z.object({
  type: z.enum(['file', 'directory', 'symlink']),
  /** POSIX permission bits. */
  mode: z.int(),
  /** The size of a file, in bytes. */
  size: z.number().optional(),
  /** The hash of a file's content; absent if the content could not be read or was not kept. */
  hash: z.string().optional(),
  /** A text that differs whenever the file on disk does (`toSignature`); absent if it is not a file, or not known. */
  signature: z.string().optional(),
  /** The target of a symlink, exactly as on disk. */
  target: z.string().optional(),
});

/**
 * The state of a file, directory or symlink at some time, as far as the journal knows it: its permissions; the size of a file,
 * the hash of its content, and a signature that differs whenever the file does; and the target of a symlink.
 */
export type EntryState = z.infer<typeof stateSchema>;

const changeSchema = z.object({ path: z.string(), before: stateSchema.nullable(), after: stateSchema.nullable() });

/** A change of one path, with its states before and after; null if nothing was there before, or is there afterwards. */
export type Change = z.infer<typeof changeSchema>;

/** The fields of every entry. `id`: may become the name of a file. `at`: milliseconds since the epoch. */
const base = { id: z.string().regex(/^[\w-]{1,100}$/), at: z.number() };

/**
 * The schema of one line of the journal. A commit (several changes of files, made together or not at all) or command without a
 * later `done` or `failed` of the same id is either still running, or its process ended first. `turn` and `call` are ids; null
 * if it belongs to none.
 */
export const journalEntrySchema = z.discriminatedUnion('type', [
  /** A turn begins. `prompt`: the beginning of the person's message. */
  z.object({ ...base, type: z.literal('turn'), prompt: z.string() }),
  /** A commit is about to be made. `undoes`: the id of the turn that it undoes. */
  z.object({
    ...base,
    type: z.literal('commit'),
    turn: z.string().nullable(),
    call: z.string().nullable(),
    owner: ownerSchema,
    changes: z.array(changeSchema),
    undoes: z.string().optional(),
  }),
  /** A command is about to run. A snapshot with its id has the state of the folder before it. */
  z.object({
    ...base,
    type: z.literal('command'),
    turn: z.string().nullable(),
    call: z.string().nullable(),
    owner: ownerSchema,
  }),
  /**
   * A commit has been made, or a command has ended. `changes`: what it changed; absent if that is what the commit announced.
   * `uncovered`: folders that snapshots leave out, so that changes in them are not known; each is listed only once in a turn.
   */
  z.object({
    ...base,
    type: z.literal('done'),
    changes: z.array(changeSchema).optional(),
    uncovered: z.array(z.string()).optional(),
  }),
  /** A commit has not been made, or was taken back. */
  z.object({ ...base, type: z.literal('failed') }),
]);

/**
 * One line of the journal of a folder on disk: the beginning of a turn, of a commit (several changes of files, made together or
 * not at all), or of a command; or the end of a commit or command, with the id of its beginning. An end is `done`, or `failed`
 * for a commit. Without an end, it was cut short, or is under way.
 */
export type JournalEntry = z.infer<typeof journalEntrySchema>;

/**
 * Checks whether two states of a path are the same, permissions and symlink targets included; null: nothing is there. The
 * contents of two files are the same only if their hashes are equal or, where one has no hash, their signatures.
 */
export function isSameState(one: EntryState | null, other: EntryState | null): boolean {
  if (one === null || other === null) return one === other;
  if (one.type !== other.type || one.mode !== other.mode || one.target !== other.target) return false;
  if (one.type !== 'file') return true;
  if (one.hash !== undefined && other.hash !== undefined) return one.hash === other.hash;
  return one.signature !== undefined && one.signature === other.signature;
}
