import type { KeyVault } from '#lib/keys/key-vault.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import type { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import type { EgressRequest } from '#lib/tools/egress/egress.ts';
import type { PinnedSource } from './pins.ts';
import type { StoredSources } from './stored-sources.ts';

/** The parts of the studio that sources of external tools use. */
export interface SourceOptions {
  store: ThreadStore;
  /** The registry in which the sources' tools are offered. */
  registry: ToolRegistry;
  /** Opens the vault with the sources' secrets. */
  vault(): Promise<KeyVault>;
  /** Called when a call has sent a request, or was kept from it. */
  onRequest(toolCallId: string, request: EgressRequest): void;
  /** Called with the toolsets of sources that the studio's operator has not offered before. */
  onNewToolsets(toolsets: readonly string[]): void;
}

/** All sources of external tools of one kind, such as tool servers, in a page. */
export type OpenSources = StoredSources<unknown, PinnedSource>;

/** A kind of source that a person can add tools from. `Sources`: all sources of this kind in a page. */
export interface SourceKind<Sources extends OpenSources> {
  /** Opens the stored sources of this kind, and offers the tools of those that are on. */
  open(options: SourceOptions): Promise<Sources>;
  /**
   * Reads all stored sources of this kind for a backup, as JSON values: without secrets, logins, and what was allowed of them.
   * Rejects with `StorageError`.
   */
  backUp(store: ThreadStore): Promise<readonly unknown[]>;
  /**
   * Adds the sources of a backup whose names are not taken, as far as the limit allows. They are turned off, because a backup
   * may come from anyone, and nothing in it acts on its own. Those that cannot be read are left out. Resolves with the number
   * of sources that were added. Rejects with `StorageError`.
   */
  restore(store: ThreadStore, stored: readonly unknown[]): Promise<number>;
}
