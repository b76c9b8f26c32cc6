import * as z from 'zod';
import { userMessageSchema } from '#lib/messages/message.ts';

/** The workspace of threads that name none. */
export const FIRST_WORKSPACE = 'first';

/** What a thread runs with; a null follows the person's default. */
export const threadSettingsSchema = z.object({
  model: z.string().nullable(),
  toolCalling: z.enum(['native', 'prompted', 'auto']),
  toolsets: z.array(z.string()),
  systemPrompt: z.string().nullable(),
});

/** What a thread is doing, as its list shows it. */
export const threadActivitySchema = z.enum(['settled', 'working', 'asking']);

export const threadSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** Who chose the title; an automatic one gives way. */
  titledBy: z.enum(['nobody', 'studio', 'person']),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** The last message of the branch that is open; null in an empty thread. */
  headId: z.string().nullable(),
  /** Where a message has several successors, the one the person was at last. */
  chosen: z.record(z.string(), z.string()).default({}),
  settings: threadSettingsSchema,
  /** Tools the person has allowed in this thread. */
  grants: z.array(z.string()),
  /** When each of them was, in milliseconds since the epoch; nothing of those of earlier versions. */
  grantedAt: z.record(z.string(), z.number()).default({}),
  activity: threadActivitySchema,
  /** The workspace that its calls work on. */
  workspaceId: z.string().default(FIRST_WORKSPACE),
  /** Points of the workspace's history by message: as it was when a message was sent, and after each turn. */
  checkpoints: z.record(z.string(), z.number()).default({}),
  /** Points at which branches were left, by their last message. */
  heads: z.record(z.string(), z.number()).default({}),
  /** The point that the files are being moved to; only until they are there. */
  movingTo: z.number().optional(),
  /** The one message that waits for the turn to end (rule R10). */
  queued: userMessageSchema.optional(),
  /** When the person deleted it; until it is purged, that can be undone. */
  deletedAt: z.number().optional(),
  /** Whether its workspace goes with it. */
  deletesWorkspace: z.boolean().optional(),
});

export type ThreadSettings = z.infer<typeof threadSettingsSchema>;
export type ThreadActivity = z.infer<typeof threadActivitySchema>;
export type Thread = z.infer<typeof threadSchema>;

/** A thread as an earlier version of the studio may have stored it, with what it did not know of. */
export const completeThread = (stored: Thread): Thread => ({
  ...{ chosen: {}, grantedAt: {}, workspaceId: FIRST_WORKSPACE, checkpoints: {}, heads: {} },
  ...stored,
});

/** When a tool was allowed in a thread; 0 where nobody knows, undefined where it was not. */
export function grantTime(
  { grants, grantedAt }: Pick<Thread, 'grants' | 'grantedAt'>,
  tool: string,
): number | undefined {
  if (!grants.includes(tool)) return undefined;
  return Object.hasOwn(grantedAt, tool) ? grantedAt[tool] : 0;
}

const TITLE_LENGTH = 60;

/** A title from the first words of a thread; empty where there are none. */
export function titleFrom(text: string): string {
  const line = text
    .split('\n')
    .map((part) => part.replace(/^[#>*\-\s]+/, '').trim())
    .find((part) => part !== '');
  if (line === undefined) return '';
  const characters = [...line];
  if (characters.length <= TITLE_LENGTH) return line;
  const cut = characters.slice(0, TITLE_LENGTH).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > TITLE_LENGTH / 2 ? cut.slice(0, space) : cut}…`;
}
