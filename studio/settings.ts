import * as z from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { defined } from '#lib/base/defined.ts';
import { toolCallingChoiceSchema } from '#lib/messages/message.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import { pathRulesSchema } from '#lib/tools/permission/path-rule.ts';
import { PERMISSION_POLICIES, type PermissionPolicy } from '#lib/tools/permission/policy.ts';
import { DEFAULT_TOOLSETS } from '#lib/tools/toolset-names.ts';
import { ALLOWED_HOSTS_MAX } from '#lib/tools/web/limits.ts';
import { rememberFirstPaint } from './page/first-paint.ts';
import { PERSONA_LIMITS, personaSchema } from './personas.ts';

const policySchema = z.enum(PERMISSION_POLICIES);

/** The system prompt, unless the user writes another one. */
export const DEFAULT_SYSTEM_PROMPT =
  'You are a helpful assistant in Roundtrip Studio. Answer concisely, in the user’s language.';

/** The smallest and the largest size of text in the editor, in pixels. */
export const FONT_SIZES = { min: 10, max: 24 };

/**
 * The widths of a tab that the settings offer, in columns. The one that the person chooses is also the width of an indentation
 * in files that do not show which width they use.
 */
export const TAB_WIDTHS = [2, 4, 8] as const;

/** The most characters that can be pasted into a message as text: in longer texts, browsers take too long for each key. */
export const PASTED_MAX = 200_000;

/** The lengths from which a pasted text becomes an attachment, as offered in the settings. In characters. */
export const LONG_PASTES = [2_000, 8_000, 50_000, PASTED_MAX] as const;

const editorSchema = z.object({
  fontSize: z.number().int().min(FONT_SIZES.min).max(FONT_SIZES.max).catch(13),
  /** Whether long lines are wrapped. */
  wraps: z.boolean().catch(false),
  tabWidth: z.literal(TAB_WIDTHS).catch(2),
  /** Whether a file is formatted when the user saves it. */
  formatsOnSave: z.boolean().catch(false),
});

export type EditorSettings = z.infer<typeof editorSchema>;

/**
 * Settings for the whole studio, stored in this browser. Fields that are missing or invalid get their defaults; unknown ones
 * are dropped.
 */
export const settingsSchema = z.object({
  theme: z.enum(['system', 'light', 'dark']).catch('system'),
  /** The tag of the language that the user chose; null stands for the browser's. */
  locale: z.string().nullable().catch(null),
  /** The model of new threads; null stands for the server's default. */
  defaultModel: z.string().nullable().catch(null),
  /** Ids of the models that were chosen last, newest first. */
  recentModels: z.array(z.string()).catch([]),
  /** The person's own prices by a model's id, in US dollars for a million tokens. */
  prices: z
    .record(
      z.string(),
      z.object({ input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() }),
    )
    .catch({}),
  /** Whether a model names threads after their first answers. */
  namesThreads: z.boolean().catch(true),
  /** The model that names threads; null for each thread's own. The demo names none. */
  titleModel: z.string().nullable().catch(null),
  /** The model that summarizes conversations; null for each thread's own. */
  summaryModel: z.string().nullable().catch(null),
  toolCalling: toolCallingChoiceSchema.catch('auto'),
  toolsets: z.array(z.string()).catch([...DEFAULT_TOOLSETS]),
  systemPrompt: z.string().catch(DEFAULT_SYSTEM_PROMPT),
  permissions: z.record(z.string(), z.partialRecord(z.enum(['read', 'write', 'execute']), policySchema)).catch({}),
  /** The origin of each policy, by `toolset:effect`: when it was set, and the thread and tool of the allowed call. */
  permissionSources: z
    .record(
      z.string(),
      z.object({
        at: z.number(),
        call: z.object({ threadId: z.string(), threadTitle: z.string(), toolName: z.string() }).optional(),
      }),
    )
    .catch({}),
  /** Hosts that tools of a toolset may reach without asking; `call`: as for `permissionSources`. */
  allowedHosts: z
    .array(
      z.object({
        toolset: z.string(),
        host: z.string(),
        at: z.number(),
        call: z.object({ threadId: z.string(), threadTitle: z.string(), toolName: z.string() }).optional(),
      }),
    )
    .catch([]),
  /**
   * Keys that the person has set, by the name of the shortcut. The key itself comes last, after its modifiers. Empty for a
   * shortcut without keys.
   */
  shortcuts: z.record(z.string(), z.array(z.string().max(20)).max(4)).catch({}),
  // 0 was “never”.
  longPaste: z
    .literal([...LONG_PASTES, 0])
    .transform((from) => from || PASTED_MAX)
    .catch(8_000),
  editor: editorSchema.catch(() => editorSchema.parse({})),
  /** Rules for what tools may do with paths, where they differ from the policies above. */
  pathRules: pathRulesSchema.default([]),
  /** Files that instruct models about a project, besides AGENTS.md: absolute paths in any workspace. */
  instructionFiles: z.array(z.string().max(1_000)).max(8).catch([]),
  /** Ways in which threads are set up. */
  personas: z.array(personaSchema).max(PERSONA_LIMITS.personas).catch([]),
  /** When a backup was last saved, in milliseconds since the epoch. */
  backedUpAt: z.number().nullable().catch(null),
  backupReminderHiddenUntil: z.number().catch(0),
});

export type Settings = z.infer<typeof settingsSchema>;

const KEY = 'settings';

export type PermissionSource = Settings['permissionSources'][string];

/**
 * Returns the settings that change with a new policy for the tools of a toolset that have one effect, such as writing.
 * `call`: the call that the user allowed when setting it.
 */
export function withPolicy(
  { permissions, permissionSources }: Settings,
  { toolset, effect }: Pick<ToolSpec, 'toolset' | 'effect'>,
  policy: PermissionPolicy,
  call?: PermissionSource['call'],
): Pick<Settings, 'permissions' | 'permissionSources'> {
  return {
    permissions: { ...permissions, [toolset]: { ...permissions[toolset], [effect]: policy } },
    permissionSources: {
      ...permissionSources,
      [`${toolset}:${effect}`]: { at: Date.now(), ...defined({ call }) },
    },
  };
}

/**
 * Returns changes to the settings for when a tool server or an API is deleted. Its toolset is no longer on in new threads. The
 * policy `ask` is set for its tools as of now, so that earlier permissions, also those in threads, do not count for another
 * source of this name.
 */
export const withoutSource = (settings: Settings, toolset: string): Partial<Settings> => ({
  ...withPolicy(settings, { toolset, effect: 'execute' }, 'ask'),
  toolsets: settings.toolsets.filter((one) => one !== toolset),
});

/**
 * Returns when, and in answer to which call, the policy for the tools of a toolset with one effect was set; undefined if it
 * was never set, or set by a version of the studio that did not record this.
 */
export function policySource(
  { permissionSources }: Settings,
  { toolset, effect }: Pick<ToolSpec, 'toolset' | 'effect'>,
): PermissionSource | undefined {
  const key = `${toolset}:${effect}`;
  return Object.hasOwn(permissionSources, key) ? permissionSources[key] : undefined;
}

/**
 * Returns the setting that changes when the user lets the tools of a toolset reach hosts without asking. Above
 * `ALLOWED_HOSTS_MAX`, the oldest permissions are dropped. `call`: the call that the user allowed.
 */
export function withHosts(
  { allowedHosts }: Settings,
  { toolset }: Pick<ToolSpec, 'toolset'>,
  hosts: readonly string[],
  call?: PermissionSource['call'],
): Pick<Settings, 'allowedHosts'> {
  const others = allowedHosts.filter((known) => known.toolset !== toolset || !hosts.includes(known.host));
  const added = hosts.map((host) => ({ toolset, host, at: Date.now(), ...defined({ call }) }));
  return { allowedHosts: [...others, ...added].slice(-ALLOWED_HOSTS_MAX) };
}

/**
 * Returns the time at which the user allowed the tools of a toolset to reach a host in all threads, in milliseconds since
 * the epoch; undefined if they have not.
 */
export const allowedHostAt = (
  { allowedHosts }: Pick<Settings, 'allowedHosts'>,
  { toolset }: Pick<ToolSpec, 'toolset'>,
  host: string,
): number | undefined => allowedHosts.find((known) => known.toolset === toolset && known.host === host)?.at;

export interface SettingsStore extends StoreApi<Settings> {
  /** Changes and stores settings; resolves when they are stored. Other settings that other tabs have changed meanwhile stay. */
  change(change: Partial<Settings>): Promise<void>;
}

export async function openSettings(threads: ThreadStore): Promise<SettingsStore> {
  const read = async () => settingsSchema.parse((await threads.setting(KEY)) ?? {});
  const store = createStore<Settings>(() => settingsSchema.parse({}));
  const show = (settings: Settings) => {
    store.setState(settings, true);
    rememberFirstPaint(settings);
  };
  show(await read());
  threads.subscribe((change) => {
    // The settings that are shown stay; the next change reads them again.
    if (change.type === 'settings') read().then(show, () => undefined);
  });
  return {
    ...store,
    async change(change) {
      // At once; what is then stored is shown, too, as soon as the store says so.
      show({ ...store.getState(), ...change });
      await threads.updateSetting(KEY, (stored) => ({ ...settingsSchema.parse(stored ?? {}), ...change }));
    },
  };
}
