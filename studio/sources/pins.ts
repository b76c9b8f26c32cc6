import * as z from 'zod';
import type { ToolOffer } from '#lib/sources/tool-offer.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import { type ExternalDefinition, externalDefinitionSchema } from '#lib/tools/core/external-definition.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';

const pinSchema = z.object({ definition: externalDefinitionSchema, isEverywhere: z.boolean() });

/** A tool from elsewhere as the person has allowed it: in a thread, or everywhere. */
export type Pin = z.infer<typeof pinSchema>;

/** The tools of one source that the person has allowed, as they were then, by name. */
export type Pins = Readonly<Record<string, Pin>>;

/** Parses stored pins; none if they cannot be read. */
const pinsOf = (stored: unknown): Pins => z.record(z.string(), pinSchema).safeParse(stored ?? {}).data ?? {};

/** The pins of all sources of one kind in the browser's storage. Everything rejects with `StorageError` if that fails. */
export class PinStore {
  readonly #store: Pick<ThreadStore, 'setting' | 'updateSetting' | 'deleteSetting'>;
  readonly #prefix: string;

  /** `prefix`: of the settings' names, which a source's name follows. */
  constructor(store: Pick<ThreadStore, 'setting' | 'updateSetting' | 'deleteSetting'>, prefix: string) {
    this.#store = store;
    this.#prefix = prefix;
  }

  async of(source: string): Promise<Pins> {
    return pinsOf(await this.#store.setting(this.#prefix + source));
  }

  /** Remembers a tool as it was allowed. */
  async put(source: string, pin: Pin): Promise<void> {
    await this.#store.updateSetting(this.#prefix + source, (stored) => ({
      ...pinsOf(stored),
      [pin.definition.name]: pin,
    }));
  }

  /** Forgets what was allowed of a source. */
  forget(source: string): Promise<void> {
    return this.#store.deleteSetting(this.#prefix + source);
  }
}

/** A source's offer, and the tools of it that the person has allowed. */
export interface PinnedOffer {
  pins: Pins;
  offer: ToolOffer;
}

/** A tool as the person allowed it before, and as it is now. */
export interface ToolChange {
  before: ExternalDefinition | undefined;
  now: ExternalDefinition;
}

/** External tools, and which of them the person knows and has allowed. */
export interface ExternalTools {
  /**
   * Checks whether the person has allowed a tool everywhere as it is described now; undefined if it comes from
   * somewhere else. A permission does not hold for a tool whose description has changed since.
   */
  isKnown(tool: ToolSpec): boolean | undefined;
  /** Returns a tool as the person allowed it before, and as it is now, if that differs. */
  changeOf(tool: ToolSpec): ToolChange | undefined;
  /** Remembers that the person has allowed a tool as it is. */
  remember(tool: ToolSpec, scope: 'thread' | 'always'): Promise<void>;
}

/** The external tools of one kind of source, and which of them the person knows and has allowed. */
export class SourcePins implements ExternalTools {
  readonly #store: PinStore;
  readonly #sourceOf: (toolset: string) => string | undefined;
  readonly #live: ReadonlyMap<string, PinnedOffer>;

  /** `sourceOf`: the source of a toolset; undefined if it is of another kind. `live`: the sources that are on, by their names. */
  constructor(
    store: PinStore,
    { sourceOf, live }: { sourceOf(toolset: string): string | undefined; live: ReadonlyMap<string, PinnedOffer> },
  ) {
    this.#store = store;
    this.#sourceOf = sourceOf;
    this.#live = live;
  }

  isKnown({ toolset, name, metadata }: ToolSpec): boolean | undefined {
    const source = this.#sourceOf(toolset);
    if (source === undefined) return undefined;
    const { definition, pin } = this.#find(source, name);
    return definition !== undefined && pin?.isEverywhere === true && pin.definition.hash === metadata?.definition;
  }

  changeOf({ toolset, name }: ToolSpec): ToolChange | undefined {
    const { definition, pin } = this.#find(this.#sourceOf(toolset), name);
    return definition === undefined || pin?.definition.hash === definition.hash
      ? undefined
      : { before: pin?.definition, now: definition };
  }

  async remember({ toolset, name, metadata }: ToolSpec, scope: 'thread' | 'always'): Promise<void> {
    const source = this.#sourceOf(toolset) ?? '';
    const live = this.#live.get(source);
    const { definition, pin: before } = this.#find(source, name);
    // Another definition was allowed.
    if (live === undefined || definition === undefined || definition.hash !== metadata?.definition) return;
    const wasEverywhere = before?.definition.hash === definition.hash && before.isEverywhere;
    const pin = { definition, isEverywhere: scope === 'always' || wasEverywhere };
    live.pins = { ...live.pins, [definition.name]: pin };
    await this.#store.put(source, pin);
  }

  #find(source: string | undefined, toolName: string): { definition?: ExternalDefinition; pin?: Pin } {
    const live = this.#live.get(source ?? '');
    const definition = live?.offer.definitionOf(toolName);
    if (live === undefined || definition === undefined) return {};
    const pin = Object.hasOwn(live.pins, definition.name) ? live.pins[definition.name] : undefined;
    return { definition, ...(pin !== undefined && { pin }) };
  }
}
