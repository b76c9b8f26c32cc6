import * as z from 'zod';
import { sha256 } from '#lib/base/sha256.ts';
import type { NamedCatalogue } from '#lib/tools/catalogue/catalogue.ts';
import { CATALOGUE_LIMITS } from '#lib/tools/core/limits.ts';
import type { MessageNode } from './message-tree.ts';
import type { ThreadStore } from './thread-store.ts';

/**
 * The number of stored catalogues above which `prune` deletes old ones that no step of a stored message refers to. A catalogue
 * is what a run offers to its model: the tools, and the instructions about them.
 */
export const PRUNE_CATALOGUES_ABOVE = 64;

/**
 * The time after its last use for which a stored catalogue, the data of the tools that a run offers to its model, is kept even
 * if no step of a stored message refers to it, in milliseconds.
 */
export const UNNAMED_CATALOGUE_MS = 24 * 60 * 60 * 1_000;

/**
 * The most by which the stored time of the last use of a catalogue, the data of the tools that a run offers to its model, may
 * be behind, in milliseconds. Only a later use stores a new time, so that not every use writes to the store.
 */
export const USE_PRECISION_MS = 60 * 60 * 1_000;

/** The beginning of the key of a catalogue among the settings; the catalogue's name follows. */
const PREFIX = 'catalogue:';

const storedSchema = z.object({ text: z.string(), usedAt: z.number() });

/**
 * The catalogues that this browser has offered, by name. A catalogue is what a run offers to its model: the tools, and the
 * instructions about them. Each step refers to one by its name, and only with the catalogue's text can the prompt of that step
 * be rebuilt (rule R13). They are stored as settings, so that earlier versions of the studio can still open the database. All
 * methods reject with `StorageError` if the store fails.
 */
export class StoredCatalogues {
  readonly #store: ThreadStore;

  constructor(store: ThreadStore) {
    this.#store = store;
  }

  /** The text of a catalogue; undefined if it is not stored. */
  async text(name: string): Promise<string | undefined> {
    return storedSchema.safeParse(await this.#store.setting(PREFIX + name)).data?.text;
  }

  /** Stores a catalogue, or records that it is still in use. `now`: in milliseconds since the epoch. */
  async keep({ name, text }: NamedCatalogue, now = Date.now()): Promise<void> {
    const stored = storedSchema.safeParse(await this.#store.setting(PREFIX + name)).data;
    if (stored?.text === text && now - stored.usedAt < USE_PRECISION_MS) return;
    await this.#store.putSetting(PREFIX + name, { text, usedAt: now });
  }

  /** The texts, by name, of those catalogues that steps of the messages refer to, as far as they are stored. */
  async namedIn(messages: readonly MessageNode[]): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const name of namesIn(messages)) {
      const text = await this.text(name);
      if (text !== undefined) found.set(name, text);
    }
    return found;
  }

  /**
   * Stores those of the given catalogues (texts by name) that steps of the messages refer to. The texts may come from anyone:
   * one that is too long, or whose hash is not its name, is left out.
   */
  async adopt(texts: ReadonlyMap<string, string>, messages: readonly MessageNode[]): Promise<void> {
    for (const name of namesIn(messages)) {
      const text = texts.get(name);
      if (text === undefined || text.length > CATALOGUE_LIMITS.length || (await sha256(text)) !== name) continue;
      await this.keep({ name, text });
    }
  }

  /**
   * If there are more than `PRUNE_CATALOGUES_ABOVE`, deletes those that no step of a stored message refers to and that have not
   * been used for `UNNAMED_CATALOGUE_MS`. `current`: the name of a catalogue that is kept in any case. `now`: in milliseconds
   * since the epoch.
   */
  async prune(current: string, now = Date.now()): Promise<void> {
    const all = await this.#store.settingsUnder(PREFIX);
    if (all.size <= PRUNE_CATALOGUES_ABOVE) return;
    const isOld = (stored: unknown) => now - (storedSchema.safeParse(stored).data?.usedAt ?? 0) > UNNAMED_CATALOGUE_MS;
    const unused = new Set<string>();
    for (const [name, stored] of all) if (name !== current && isOld(stored)) unused.add(name);
    if (unused.size === 0) return;
    const named = new Set<string>();
    for (const { id } of await this.#store.threads())
      for (const name of namesIn(await this.#store.messages(id))) if (unused.delete(name)) named.add(name);
    // So that not all messages are read again for these the next time.
    for (const name of named) {
      const text = await this.text(name);
      if (text !== undefined) await this.keep({ name, text }, now);
    }
    // Another tab may have come to use one in the meantime.
    for (const name of unused) await this.#store.deleteSetting(PREFIX + name, isOld);
  }
}

function namesIn(messages: readonly MessageNode[]): Set<string> {
  const names = new Set<string>();
  for (const { message } of messages)
    for (const part of message.parts)
      if (part.type === 'step' && part.settings.catalogue !== undefined) names.add(part.settings.catalogue);
  return names;
}
