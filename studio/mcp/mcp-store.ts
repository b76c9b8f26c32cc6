import * as z from 'zod';
import type { McpDefinition } from '#lib/mcp/definition.ts';
import type { McpRoute } from '#lib/mcp/http-session.ts';
import { type ServerConfig, serverConfigSchema } from '#lib/mcp/server-config.ts';
import type { McpListing } from '#lib/mcp/session.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import { isObjectSchema, type ObjectSchema } from '#lib/tools/core/json-schema.ts';

const SERVERS = 'mcp-servers';
const LISTING = 'mcp-listing:';
const PINS = 'mcp-pins:';

const objectSchema = z.custom<ObjectSchema>(isObjectSchema);

const definitionSchema: z.ZodType<McpDefinition> = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  inputSchema: objectSchema,
  outputSchema: objectSchema.optional(),
  annotations: z.unknown().optional(),
  isDestructive: z.boolean(),
  hash: z.string(),
}) as z.ZodType<McpDefinition>;

const promptSchema = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  arguments: z.array(z.object({ name: z.string(), description: z.string(), isRequired: z.boolean() })),
});

const resourceSchema = z.object({
  uri: z.string(),
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  mediaType: z.string().optional(),
});

const listingSchema = z.object({
  title: z.string(),
  era: z.enum(['legacy', 'modern']),
  route: z.enum(['direct', 'relay']),
  tools: z.array(definitionSchema),
  // Earlier versions stored only tools.
  prompts: z.array(promptSchema).default([]),
  resources: z.array(resourceSchema).default([]),
  refused: z.array(z.object({ name: z.string(), reason: z.string() })),
});

/** What a server last offered, and how it was reached. */
export type StoredListing = McpListing & { route: McpRoute };

const pinSchema = z.object({ definition: definitionSchema, isEverywhere: z.boolean() });

/** A tool as the person has allowed it: in a thread, or everywhere. */
export type McpPin = z.infer<typeof pinSchema>;

/** What the person has allowed: the tools of a server as they were then, by name. */
export type McpPins = Readonly<Record<string, McpPin>>;

/** Servers with different names. One that cannot be read, for instance because another version has stored it, is left out. */
export const serversSchema = z.array(z.unknown()).transform((all) => {
  const readable = all.flatMap((one) => serverConfigSchema.safeParse(one).data ?? []);
  return [...new Map(readable.map((one) => [one.name, one])).values()];
});

/** What can be read of stored pins. */
const pinsOf = (stored: unknown): McpPins => z.record(z.string(), pinSchema).safeParse(stored ?? {}).data ?? {};

/** The person's tool servers in the browser's storage. Everything rejects with `StorageError` if that fails. */
export class McpStore {
  readonly #store: Pick<ThreadStore, 'setting' | 'putSetting' | 'updateSetting' | 'deleteSetting'>;

  constructor(store: Pick<ThreadStore, 'setting' | 'putSetting' | 'updateSetting' | 'deleteSetting'>) {
    this.#store = store;
  }

  async servers(): Promise<readonly ServerConfig[]> {
    return serversSchema.safeParse((await this.#store.setting(SERVERS)) ?? []).data ?? [];
  }

  /** Changes the list of servers; what another version has stored in it stays. */
  async update(change: (all: readonly ServerConfig[]) => readonly ServerConfig[]): Promise<void> {
    await this.#store.updateSetting(SERVERS, (stored) => {
      const all = z.array(z.unknown()).parse(stored ?? []);
      const unreadable = all.filter((one) => !serverConfigSchema.safeParse(one).success);
      return [...change(serversSchema.parse(all)), ...unreadable];
    });
  }

  async listing(name: string): Promise<StoredListing | undefined> {
    return listingSchema.safeParse(await this.#store.setting(LISTING + name)).data as StoredListing | undefined;
  }

  putListing(name: string, listing: StoredListing): Promise<void> {
    return this.#store.putSetting(LISTING + name, listing);
  }

  async pins(name: string): Promise<McpPins> {
    return pinsOf(await this.#store.setting(PINS + name));
  }

  /** Remembers a tool as it was allowed. */
  async pin(name: string, pin: McpPin): Promise<void> {
    await this.#store.updateSetting(PINS + name, (stored) => ({
      ...pinsOf(stored),
      [pin.definition.name]: pin,
    }));
  }

  /** Forgets what a server offered, and what was allowed of it. */
  async forget(name: string): Promise<void> {
    await this.#store.deleteSetting(LISTING + name);
    await this.#store.deleteSetting(PINS + name);
  }
}
