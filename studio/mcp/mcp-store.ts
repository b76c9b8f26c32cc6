import * as z from 'zod';
import type { McpRoute } from '#lib/mcp/http-session.ts';
import { type ServerConfig, serverConfigSchema } from '#lib/mcp/server-config.ts';
import type { McpListing } from '#lib/mcp/session.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import { foreignDefinitionSchema } from '#lib/tools/core/foreign-definition.ts';
import { PinStore } from '../foreign/pins.ts';

const SERVERS = 'mcp-servers';
const LISTING = 'mcp-listing:';
const PINS = 'mcp-pins:';

const listingSchema = z.object({
  title: z.string(),
  era: z.enum(['legacy', 'modern']),
  route: z.enum(['direct', 'relay']),
  tools: z.array(foreignDefinitionSchema),
  refused: z.array(z.object({ name: z.string(), reason: z.string() })),
});

/** What a server last offered, and how it was reached. */
export type StoredListing = McpListing & { route: McpRoute };

/** Servers with different names. One that cannot be read, for instance because another version has stored it, is left out. */
export const serversSchema = z.array(z.unknown()).transform((all) => {
  const readable = all.flatMap((one) => serverConfigSchema.safeParse(one).data ?? []);
  return [...new Map(readable.map((one) => [one.name, one])).values()];
});

/** The person's tool servers in the browser's storage. Everything rejects with `StorageError` if that fails. */
export class McpStore {
  /** What the person has allowed of each server. */
  readonly pins: PinStore;
  readonly #store: Pick<ThreadStore, 'setting' | 'putSetting' | 'updateSetting' | 'deleteSetting'>;

  constructor(store: Pick<ThreadStore, 'setting' | 'putSetting' | 'updateSetting' | 'deleteSetting'>) {
    this.#store = store;
    this.pins = new PinStore(store, PINS);
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

  /** Forgets what a server offered, and what was allowed of it. */
  async forget(name: string): Promise<void> {
    await this.#store.deleteSetting(LISTING + name);
    await this.pins.forget(name);
  }
}
