import * as z from 'zod';
import type { SourceList, UsedSource } from '#lib/sources/source-list.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import { type ExternalDefinition, externalDefinitionSchema } from '#lib/tools/catalogue/external-definition.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';

const pinSchema = z.object({ definition: externalDefinitionSchema, isEverywhere: z.boolean() });

/**
 * The definition of an external tool as the person allowed it last, so that a tool that has changed since does not count as
 * allowed; and whether it was allowed everywhere, or only in a thread.
 */
export type Pin = z.infer<typeof pinSchema>;

/** The pins of one source's tools, by the tools' names. */
type Pins = Readonly<Record<string, Pin>>;

/** Parses stored pins; none if they cannot be read. */
const pinsOf = (stored: unknown): Pins => z.record(z.string(), pinSchema).safeParse(stored ?? {}).data ?? {};

/**
 * The pins, which are external tools as the person has allowed them, of all sources of one kind in the browser's storage.
 * Everything rejects with `StorageError` if that fails.
 */
export class PinStore {
  readonly #store: Pick<ThreadStore, 'setting' | 'updateSetting' | 'deleteSetting'>;
  readonly #prefix: string;

  /** `prefix`: the beginning of the settings' names, before the name of a source. */
  constructor(store: Pick<ThreadStore, 'setting' | 'updateSetting' | 'deleteSetting'>, prefix: string) {
    this.#store = store;
    this.#prefix = prefix;
  }

  /** The pins of a source, by the names of the tools. */
  async of(source: string): Promise<Pins> {
    return pinsOf(await this.#store.setting(this.#prefix + source));
  }

  /** Stores a tool as it was allowed, in place of its earlier pin. */
  async put(source: string, pin: Pin): Promise<void> {
    await this.#store.updateSetting(this.#prefix + source, (stored) => ({
      ...pinsOf(stored),
      [pin.definition.name]: pin,
    }));
  }

  /** Deletes the pins of a source. */
  forget(source: string): Promise<void> {
    return this.#store.deleteSetting(this.#prefix + source);
  }
}

/** A source that is in use, and the tools of it that the person has allowed. */
export interface PinnedSource extends UsedSource {
  pins: Pins;
}

/** The definition of an external tool as the person allowed it last, undefined if they have not, and as it is now. */
export interface ToolChange {
  before: ExternalDefinition | undefined;
  now: ExternalDefinition;
}

/** The record of the external tools that the person has allowed. */
export interface AllowedTools {
  /**
   * Checks whether the person has allowed a tool everywhere as it is described now; undefined if it comes from none of these
   * sources. A permission does not hold for a tool whose description has changed since.
   */
  isKnown(tool: ToolSpec): boolean | undefined;
  /**
   * Returns a tool as the person allowed it before, and as it is now; undefined if that is the same, or if the tool comes from
   * none of these sources.
   */
  changeOf(tool: ToolSpec): ToolChange | undefined;
  /**
   * Stores that the person has allowed a tool as it is: in all threads (`always`), or in one, of which the thread itself has
   * the record. Does nothing if the tool has changed since it was offered.
   */
  remember(tool: ToolSpec, scope: 'thread' | 'always'): Promise<void>;
}

/**
 * The record of the external tools of one kind of source that the person has allowed, in the browser's storage. Each is stored
 * with its definition, because a permission does not hold for a tool that has changed since (see `AllowedTools`).
 */
export class SourcePins implements AllowedTools {
  readonly #store: PinStore;
  readonly #list: Pick<SourceList<PinnedSource>, 'find' | 'sourceOf'>;

  constructor(store: PinStore, list: Pick<SourceList<PinnedSource>, 'find' | 'sourceOf'>) {
    this.#store = store;
    this.#list = list;
  }

  /**
   * Checks whether the person has allowed a tool in all threads as it is described now; undefined if it comes from no source of
   * this kind. False if the tool has changed since, or was allowed only in single threads.
   */
  isKnown(tool: ToolSpec): boolean | undefined {
    if (this.#list.sourceOf(tool.toolset) === undefined) return undefined;
    const found = this.#list.find(tool);
    if (found === undefined) return false;
    const pin = pinOf(found);
    return pin?.isEverywhere === true && pin.definition.hash === tool.metadata?.definition;
  }

  /**
   * Returns a tool as the person allowed it last, and as it is now; undefined if that is the same, or if no source of this kind
   * offers the tool.
   */
  changeOf(tool: ToolSpec): ToolChange | undefined {
    const found = this.#list.find(tool);
    if (found === undefined) return undefined;
    const before = pinOf(found)?.definition;
    return before?.hash === found.definition.hash ? undefined : { before, now: found.definition };
  }

  /**
   * Stores that the person has allowed a tool as it is: in all threads (`always`), or in one. Does nothing if the tool has
   * changed since it was offered.
   */
  async remember(tool: ToolSpec, scope: 'thread' | 'always'): Promise<void> {
    const found = this.#list.find(tool);
    // Another definition was allowed.
    if (found === undefined || found.definition.hash !== tool.metadata?.definition) return;
    const { source, used, definition } = found;
    const before = pinOf(found);
    const wasEverywhere = before?.definition.hash === definition.hash && before.isEverywhere;
    const pin = { definition, isEverywhere: scope === 'always' || wasEverywhere };
    used.pins = { ...used.pins, [definition.name]: pin };
    await this.#store.put(source, pin);
  }
}

const pinOf = ({ used, definition }: { used: PinnedSource; definition: ExternalDefinition }): Pin | undefined =>
  Object.hasOwn(used.pins, definition.name) ? used.pins[definition.name] : undefined;
