import { createStore, type StoreApi } from 'zustand/vanilla';
import { SourceList, type SourceListOptions } from '#lib/sources/source-list.ts';
import type { ToolOffer } from '#lib/sources/tool-offer.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import { toolsetOf } from '#lib/tools/toolset-names.ts';
import { type AllowedTools, type PinnedSource, type PinStore, SourcePins } from './pins.ts';

/** Options of `StoredSources`. */
interface StoredSourcesOptions<Used extends PinnedSource> extends SourceListOptions<Used> {
  store: Pick<ThreadStore, 'subscribe'>;
  pins: PinStore;
}

/** Sources as they were read from the storage. */
export interface ReadSources<Shown> {
  /** Returns the sources as views show them. `latest`: those in `state`, by name, which may have changed during the reading. */
  shown(latest: ReadonlyMap<string, Shown>): readonly Shown[];
}

/**
 * The sources of external tools of one kind, such as tool servers, in the browser's storage: those that the person has added
 * and, of tool servers, those of the studio's operator. `Shown`: a source as views show it. `Used`: a source that is on, while
 * the page is open.
 */
export abstract class StoredSources<Shown, Used extends PinnedSource> {
  readonly state: StoreApi<readonly Shown[]> = createStore<readonly Shown[]>(() => []);
  /** The tools that the person has allowed. */
  readonly pins: AllowedTools;
  protected readonly list: SourceList<Used>;
  readonly #options: StoredSourcesOptions<Used>;
  #isReading = false;
  #unsubscribe = (): void => {};

  constructor(options: StoredSourcesOptions<Used>) {
    this.#options = options;
    this.list = new SourceList(options);
    this.pins = new SourcePins(options.pins, this.list);
  }

  protected abstract nameOf(source: Shown): string;
  protected abstract isOn(source: Shown): boolean;
  /** Reads the stored sources. `known`: the sources in `state`, by name. Rejects with `StorageError`. */
  protected abstract stored(known: ReadonlyMap<string, Shown>): Promise<ReadSources<Shown>>;
  /**
   * Checks whether a source is still the one that was in use under its name. If not, the connection of the earlier one is
   * ended.
   */
  protected abstract isSame(before: Shown, now: Shown): boolean;
  protected abstract begin(source: Shown, offer: ToolOffer): Used;
  /** Replaces the tools that a source offers, and shows the result in `state`. */
  protected abstract offer(source: Shown, used: Used): Promise<void>;
  /** Stores whether a source is on. Rejects with `StorageError`. */
  protected abstract storeTurn(name: string, isOn: boolean): Promise<void>;
  /** Deletes a stored source, and the pins of its tools. Rejects with `StorageError`. */
  protected abstract storeRemoval(name: string): Promise<void>;
  /** Deletes the secrets of a source that was removed. Rejects with `VaultLocked`. */
  protected abstract deleteSecrets(name: string, source: Shown | undefined): Promise<void>;

  /**
   * Offers the tools of the stored sources, and follows the changes of other tabs. A storage that cannot be read counts as
   * empty.
   */
  protected async start(): Promise<void> {
    await this.read().catch(() => undefined);
    this.#unsubscribe = this.#options.store.subscribe((change) => {
      if (change.type === 'settings') this.#readSoon();
    });
  }

  /** Ends all connections, and the calls that are under way. */
  close(): void {
    this.#unsubscribe();
    this.list.close();
  }

  /** The toolsets of the sources that are on. */
  get toolsets(): string[] {
    const on = this.state.getState().filter((one) => this.isOn(one));
    return on.map((one) => toolsetOf(this.#options.kind, this.nameOf(one)));
  }

  /**
   * Connects to the sources that are not connected, if it is time to try. Does nothing unless a kind of source overrides it.
   */
  connectAll(): void {}

  /** Turns a source on or off. Rejects with `StorageError`. */
  async turn(name: string, isOn: boolean): Promise<void> {
    await this.storeTurn(name, isOn);
    await this.read();
  }

  /** Removes a source, its secrets, and what was allowed of it. Rejects with `StorageError` or `VaultLocked`. */
  async remove(name: string): Promise<void> {
    const source = this.shown(name);
    await this.storeRemoval(name);
    await this.read();
    await this.deleteSecrets(name, source);
  }

  /** Finds a source in `state` by its name; undefined if there is none. */
  protected shown(name: string): Shown | undefined {
    return this.state.getState().find((one) => this.nameOf(one) === name);
  }

  protected show(name: string, change: Partial<Shown>): void {
    this.state.setState(
      this.state.getState().map((one) => (this.nameOf(one) === name ? { ...one, ...change } : one)),
      true,
    );
  }

  /** Reads the stored sources again, and offers the tools of those that are on. Rejects with `StorageError`. */
  protected read(): Promise<void> {
    return this.list.inTurn(async () => {
      const read = await this.stored(this.#known());
      if (this.list.isClosed) return;
      const known = this.#known();
      const sources = read.shown(known);
      this.state.setState(sources, true);
      for (const name of this.list.names) {
        const source = sources.find((one) => this.nameOf(one) === name && this.isOn(one));
        const before = known.get(name);
        if (source === undefined || before === undefined || !this.isSame(before, source)) this.list.end(name);
      }
      for (const source of sources) {
        if (!this.isOn(source)) continue;
        const name = this.nameOf(source);
        const used = this.list.get(name) ?? this.list.begin(name, (offer) => this.begin(source, offer));
        if (used === undefined) return;
        used.pins = await this.#options.pins.of(name);
        await this.offer(source, used);
      }
    });
  }

  /** The sources in `state`, by name. */
  #known(): ReadonlyMap<string, Shown> {
    return new Map(this.state.getState().map((one) => [this.nameOf(one), one]));
  }

  /** Reads the stored sources again soon. Several requests at once make one read. */
  #readSoon(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    setTimeout(() => {
      this.#isReading = false;
      // The sources stay as they were; the next change of the settings reads them again.
      this.read().catch(() => undefined);
    });
  }
}
