import * as z from 'zod';
import { clampTime } from '#lib/base/clamp-time.ts';
import { timeSchema, toolCallingChoiceSchema, userMessageSchema } from '#lib/messages/message.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import { isBuiltInToolset } from '#lib/tools/toolset-names.ts';
import { modelParametersSchema } from '#lib/wire/model-config.ts';

/** The id of the workspace of threads that do not specify one. */
export const FIRST_WORKSPACE = 'first';

/** A thread's settings; null means the user's default. */
const threadSettingsSchema = z.object({
  model: z.string().nullable(),
  toolCalling: toolCallingChoiceSchema,
  toolsets: z.array(z.string()),
  systemPrompt: z.string().nullable(),
  /** The thread's parameters for its model; where absent, the model's own settings apply. */
  parameters: modelParametersSchema.optional(),
  /** Whether the user reviews each change of a file before it is written. */
  reviews: z.boolean().optional(),
});

/**
 * The activity of a thread, as the list of threads shows it. `settled`: nothing is going on. `working`: its turn is in
 * progress. `asking`: a call waits for the user.
 */
const threadActivitySchema = z.enum(['settled', 'working', 'asking']);

export const threadSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** The author of the title. The studio replaces a title only if it is by `nobody` or by the `studio` itself. */
  titledBy: z.enum(['nobody', 'studio', 'model', 'person']),
  createdAt: timeSchema,
  updatedAt: timeSchema,
  /** The last message of the open branch; null in an empty thread. */
  headId: z.string().nullable(),
  /** The id of the successor that the user opened last, by the id of each message that has several. */
  chosen: z.record(z.string(), z.string()).default({}),
  settings: threadSettingsSchema,
  /** Tools and hosts that the user has allowed in this thread, by `grantName` and `hostGrantName`. */
  grants: z.array(z.string()),
  /** When each of `grants` was allowed, in milliseconds since the epoch; absent for grants from earlier versions. */
  grantedAt: z.record(z.string(), timeSchema).default({}),
  activity: threadActivitySchema,
  /** The id of the model that has answered last. */
  lastModel: z.string().optional(),
  /** The workspace that the thread's calls work on. */
  workspaceId: z.string().default(FIRST_WORKSPACE),
  /** Points in the workspace's history by message id: when a user message was sent, and after each turn. */
  checkpoints: z.record(z.string(), z.number()).default({}),
  /** Points in the workspace's history at which branches were left, by the id of each branch's last message. */
  heads: z.record(z.string(), z.number()).default({}),
  /** The point in the workspace's history that its files are being moved to; only set during a move. */
  movingTo: z.number().optional(),
  /** The point in the workspace's history that its files are being moved from; only set during a move. */
  movingFrom: z.number().optional(),
  /** The id of the page that acts for the thread: a new one each time that a page takes the thread over (rule R4). */
  actor: z.string().optional(),
  /** The one message that is waiting for the turn to end (rule R10). */
  queued: userMessageSchema.optional(),
  /** Present if the next step is to summarize the conversation first. */
  compactsNext: z.literal(true).optional(),
  /** Present if this browser has changed messages that the server knows: the next request sends the whole branch. */
  resends: z.literal(true).optional(),
  /** When the user pinned the thread to the top of the list, in milliseconds since the epoch. */
  pinnedAt: timeSchema.optional(),
  /** The id of the thread's folder in the list of threads. An id without a folder counts as none. */
  folderId: z.string().optional(),
  /** When the user archived the thread, in milliseconds since the epoch. */
  archivedAt: timeSchema.optional(),
  /** When the user deleted the thread, in milliseconds since the epoch; this can be undone until it is purged. */
  deletedAt: timeSchema.optional(),
  /** Whether purging the deleted thread also deletes its workspace. */
  deletesWorkspace: z.boolean().optional(),
});

export type ThreadSettings = z.infer<typeof threadSettingsSchema>;
export type ThreadActivity = z.infer<typeof threadActivitySchema>;
export type Thread = z.infer<typeof threadSchema>;

/**
 * Adds missing fields to a thread stored by an earlier version of the studio, and limits `createdAt` and `updatedAt` to times
 * that a `Date` can hold.
 */
export const completeThread = (stored: Thread): Thread => ({
  ...{ chosen: {}, grantedAt: {}, workspaceId: FIRST_WORKSPACE, checkpoints: {}, heads: {} },
  ...stored,
  createdAt: clampTime(stored.createdAt),
  updatedAt: clampTime(stored.updatedAt),
});

/**
 * Returns the name under which a tool is stored in a thread's `grants`. For an external tool, it has the toolset and the
 * hash of the definition, so that the permission covers no other tool with that name.
 */
export const grantName = ({ name, toolset, metadata }: Pick<ToolSpec, 'name' | 'toolset' | 'metadata'>): string => {
  if (isBuiltInToolset(toolset)) return name;
  const { definition } = metadata ?? {};
  return `${toolset}/${name}${typeof definition === 'string' ? `@${definition}` : ''}`;
};

/** Splits a `grantName` into the toolset and the tool's name. `toolset` is undefined for the studio's own tools. */
export function grantedTool(name: string): { toolset: string | undefined; name: string } {
  const [, toolset, tool = name] = /^([^/@ ]+)\/([^@ ]+)/.exec(name) ?? [];
  return { toolset, name: tool };
}

/**
 * Returns the name under which a toolset's permission to reach a host is stored in a thread's `grants`. Its space tells it
 * from a tool's name.
 */
export const hostGrantName = ({ toolset }: Pick<ToolSpec, 'toolset'>, host: string): string => `${toolset} ${host}`;

/** Splits a `hostGrantName` into the toolset and the host; undefined for the name of a tool. */
export function grantedHost(name: string): { toolset: string; host: string } | undefined {
  const [, toolset, host] = /^(\S+) (\S+)$/.exec(name) ?? [];
  return toolset === undefined || host === undefined ? undefined : { toolset, host };
}

/**
 * When a tool or host (a name in `grants`) was allowed in a thread, in milliseconds since the epoch; 0 if the time is unknown,
 * undefined if it was never allowed.
 */
export function grantTime(
  { grants, grantedAt }: Pick<Thread, 'grants' | 'grantedAt'>,
  granted: string,
): number | undefined {
  if (!grants.includes(granted)) return undefined;
  return Object.hasOwn(grantedAt, granted) ? grantedAt[granted] : 0;
}

const TITLE_LENGTH = 60;

/** A title from the first words of a text: the beginning of its first line with words; empty if there are none. */
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
