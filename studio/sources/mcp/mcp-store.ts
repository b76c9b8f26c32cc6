import * as z from 'zod';
import { canonicalJson } from '#lib/base/canonical-json.ts';
import type { McpRoute } from '#lib/sources/mcp/http-session.ts';
import { type ServerConfig, serverConfigSchema } from '#lib/sources/mcp/server-config.ts';
import type { McpListing } from '#lib/sources/mcp/server-lists.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import { externalDefinitionSchema } from '#lib/tools/catalogue/external-definition.ts';
import type { StudioServer } from '#lib/wire/mcp.ts';
import { PinStore } from '../pins.ts';
import type { KnownStudioServer } from './studio-servers.ts';

const SERVERS = 'mcp-servers';
const STUDIO_SERVERS = 'studio-mcp-servers';
const LISTING = 'mcp-listing:';
const PINS = 'mcp-pins:';

const argumentsSchema = z.array(z.object({ name: z.string(), description: z.string(), isRequired: z.boolean() }));

const promptSchema = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  arguments: argumentsSchema,
});

const resourceSchema = z.object({
  uri: z.string(),
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  mediaType: z.string().optional(),
});

const templateSchema = z.object({
  uriTemplate: z.string(),
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  arguments: argumentsSchema,
});

const listingSchema = z.object({
  title: z.string(),
  era: z.enum(['legacy', 'modern']),
  route: z.enum(['direct', 'relay']),
  tools: z.array(externalDefinitionSchema),
  // Earlier versions stored only tools, and then no templates.
  prompts: z.array(promptSchema).default([]),
  resources: z.array(resourceSchema).default([]),
  templates: z.array(templateSchema).default([]),
  completes: z.boolean().default(false),
  refused: z.array(z.object({ name: z.string(), reason: z.string() })),
});

/**
 * The latest list of what a server offers, and the route by which it was reached: directly, or through the studio's server.
 */
export type StoredListing = McpListing & { route: McpRoute };

/** Servers with different names. One that cannot be read, for instance because another version has stored it, is left out. */
const serversSchema = z.array(z.unknown()).transform((all) => {
  const readable = all.flatMap((one) => serverConfigSchema.safeParse(one).data ?? []);
  return [...new Map(readable.map((one) => [one.name, one])).values()];
});

const studioServersSchema = z
  .array(z.object({ name: z.string(), title: z.string().optional(), isOn: z.boolean() }))
  .catch([]);

/** Parses the operator's servers as they are stored; none if they cannot be read. */
const readStudioServers = (stored: unknown) => studioServersSchema.parse(stored ?? []) as readonly KnownStudioServer[];

/**
 * The tool servers of the person and of the studio's operator in the browser's storage, with what each offered last, but
 * without secrets. Everything rejects with `StorageError` if that fails.
 */
export class McpStore {
  /** The tools that the person has allowed, by server. */
  readonly pins: PinStore;
  readonly #store: Pick<ThreadStore, 'setting' | 'putSetting' | 'updateSetting' | 'deleteSetting'>;

  constructor(store: Pick<ThreadStore, 'setting' | 'putSetting' | 'updateSetting' | 'deleteSetting'>) {
    this.#store = store;
    this.pins = new PinStore(store, PINS);
  }

  async servers(): Promise<readonly ServerConfig[]> {
    return serversSchema.safeParse((await this.#store.setting(SERVERS)) ?? []).data ?? [];
  }

  /** Changes the list of servers. Entries that cannot be read, such as those of another version, stay. */
  async update(change: (all: readonly ServerConfig[]) => readonly ServerConfig[]): Promise<void> {
    await this.#store.updateSetting(SERVERS, (stored) => {
      const all = z.array(z.unknown()).parse(stored ?? []);
      const unreadable = all.filter((one) => !serverConfigSchema.safeParse(one).success);
      return [...change(serversSchema.parse(all)), ...unreadable];
    });
  }

  /** The servers that the studio's operator offered last, and whether each is used in this browser. */
  async operatorServers(): Promise<readonly KnownStudioServer[]> {
    return readStudioServers(await this.#store.setting(STUDIO_SERVERS));
  }

  /**
   * Stores which servers the operator offers. Of those that are not offered any more, deletes the stored lists of tools and
   * what was allowed. `isChanged`: whether the stored servers have changed. `added`: the names of new servers; not those that
   * are also the name of a server that the person has set up.
   */
  async putStudioServers(listed: readonly StudioServer[]): Promise<{ isChanged: boolean; added: readonly string[] }> {
    const before = await this.operatorServers();
    const of = (known: readonly KnownStudioServer[]) => {
      const isOff = new Set(known.filter(({ isOn }) => !isOn).map(({ name }) => name));
      return listed.map((one) => ({ ...one, isOn: !isOff.has(one.name) }));
    };
    const isChanged = canonicalJson(of(before)) !== canonicalJson(before);
    const own = new Set((await this.servers()).map(({ name }) => name));
    const isNew = ({ name }: StudioServer) => !own.has(name) && !before.some((one) => one.name === name);
    if (!isChanged) return { isChanged, added: [] };
    const names = new Set(listed.map(({ name }) => name));
    for (const { name } of before) if (!names.has(name) && !own.has(name)) await this.forget(name);
    // Another tab may have turned one off meanwhile.
    await this.#store.updateSetting(STUDIO_SERVERS, (stored) => of(readStudioServers(stored)));
    return { isChanged, added: listed.filter(isNew).map(({ name }) => name) };
  }

  /** Stores whether a server of the operator is used in this browser. */
  async turnStudioServer(name: string, isOn: boolean): Promise<void> {
    await this.#store.updateSetting(STUDIO_SERVERS, (stored) =>
      readStudioServers(stored).map((one) => (one.name === name ? { ...one, isOn } : one)),
    );
  }

  async listing(name: string): Promise<StoredListing | undefined> {
    return listingSchema.safeParse(await this.#store.setting(LISTING + name)).data as StoredListing | undefined;
  }

  putListing(name: string, listing: StoredListing): Promise<void> {
    return this.#store.putSetting(LISTING + name, listing);
  }

  /** Deletes the list of what a server offered, and the pins of its tools. */
  async forget(name: string): Promise<void> {
    await this.#store.deleteSetting(LISTING + name);
    await this.pins.forget(name);
  }
}
