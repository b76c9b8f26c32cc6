import * as z from 'zod';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import { type ForeignDefinition, foreignDefinitionSchema } from '#lib/tools/core/external-definition.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import type { Tool } from '#lib/tools/core/tool.ts';

const pinSchema = z.object({ definition: foreignDefinitionSchema, isEverywhere: z.boolean() });

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

/** A tool on offer, and how it is described where it comes from. */
export interface OfferedTool {
  definition: ForeignDefinition;
  tool: Tool;
}

/** The tools that a source offers, by its own names for them, and those that the person has allowed. */
export interface Offer {
  pins: Pins;
  tools: ReadonlyMap<string, OfferedTool>;
}

/** A tool as the person allowed it before, and as it is now. */
export interface ToolChange {
  before: ForeignDefinition | undefined;
  now: ForeignDefinition;
}

/** Tools from elsewhere, and which of them the person knows and has allowed. */
export interface ForeignTools {
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

const find = (offer: Offer | undefined, toolName: string): OfferedTool | undefined =>
  [...(offer?.tools.values() ?? [])].find(({ tool }) => tool.name === toolName);

const pinOf = (offer: Offer | undefined, { name }: ForeignDefinition): Pin | undefined =>
  offer !== undefined && Object.hasOwn(offer.pins, name) ? offer.pins[name] : undefined;

/** Checks whether a tool of an offer was allowed everywhere as it is. */
export function isPinned(offer: Offer | undefined, { name, metadata }: ToolSpec): boolean {
  const found = find(offer, name);
  const pin = found && pinOf(offer, found.definition);
  return pin?.isEverywhere === true && pin.definition.hash === metadata?.definition;
}

/** Finds what has changed about a tool of an offer since it was allowed; undefined if nothing has. */
export function changeIn(offer: Offer | undefined, { name }: ToolSpec): ToolChange | undefined {
  const now = find(offer, name)?.definition;
  const before = now && pinOf(offer, now)?.definition;
  return now === undefined || before?.hash === now.hash ? undefined : { before, now };
}

/** The pin of a tool of an offer that was allowed; undefined if that was another definition of it. */
export function pinFor(
  offer: Offer | undefined,
  { name, metadata }: ToolSpec,
  scope: 'thread' | 'always',
): Pin | undefined {
  const definition = find(offer, name)?.definition;
  if (definition === undefined || definition.hash !== metadata?.definition) return undefined;
  const before = pinOf(offer, definition);
  const wasEverywhere = before?.definition.hash === definition.hash && before.isEverywhere;
  return { definition, isEverywhere: scope === 'always' || wasEverywhere };
}
