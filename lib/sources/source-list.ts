import { SerialQueue } from '#lib/base/serial-queue.ts';
import type { ExternalDefinition, RefusedTool } from '#lib/tools/catalogue/external-definition.ts';
import type { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import { sourceOf } from '#lib/tools/toolset-names.ts';
import { type OfferedTools, ToolOffer } from './tool-offer.ts';

/** A source of external tools, such as a tool server, that is in use. `offer`: the tools that it offers. */
export interface UsedSource {
  offer: ToolOffer;
}

/** The outcome of offering the tools of a source. */
interface OfferOutcome {
  /** The tools that are not offered. */
  refused: readonly RefusedTool[];
  /** The estimated tokens that the offered tools take up in each prompt. */
  tokens: number;
  /** The reason why none of the tools is offered; undefined if they are offered. */
  problem: string | undefined;
}

/** Options of `SourceList`. */
export interface SourceListOptions<Used extends UsedSource> {
  registry: Pick<ToolRegistry, 'add' | 'get'>;
  /** The kind of these sources, such as tool servers, as it stands in the names of their toolsets. */
  kind: string;
  /** Closes connections or workers of a source that is no longer in use. */
  end(used: Used): void;
}

/**
 * The sources of one kind that are in use, such as all tool servers. Tasks that change them should be run by `inTurn`, one
 * after another.
 */
export class SourceList<Used extends UsedSource> {
  readonly #options: SourceListOptions<Used>;
  readonly #used = new Map<string, Used>();
  readonly #queue = new SerialQueue();
  #isClosed = false;

  constructor(options: SourceListOptions<Used>) {
    this.#options = options;
  }

  /** Whether `close` was called; then nothing is offered any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The names of the sources that are in use. */
  get names(): string[] {
    return [...this.#used.keys()];
  }

  get(name: string): Used | undefined {
    return this.#used.get(name);
  }

  /** Checks whether a source is still in use, and none of the same name has taken its place. */
  uses(name: string, used: Used): boolean {
    return this.#used.get(name) === used;
  }

  /**
   * Begins to use a source, which offers nothing yet. `make`: makes the source's entry in this list, with the given offer for
   * its tools. Returns undefined if the list is closed.
   */
  begin(name: string, make: (offer: ToolOffer) => Used): Used | undefined {
    if (this.#isClosed) return undefined;
    const used = make(new ToolOffer(this.#options.registry));
    this.#used.set(name, used);
    return used;
  }

  /** Ends the use of a source: takes its tools out of the registry, and closes what it has open. */
  end(name: string): void {
    const used = this.#used.get(name);
    if (used === undefined) return;
    this.#used.delete(name);
    this.#options.end(used);
    used.offer.withdraw();
  }

  /** Ends the use of all sources. No other can begin afterwards. */
  close(): void {
    this.#isClosed = true;
    for (const name of this.names) this.end(name);
  }

  /** Runs a task once all earlier ones have ended. */
  inTurn<T>(task: () => Promise<T>): Promise<T> {
    return this.#queue.run(task);
  }

  /** Returns the name of the source that a toolset comes from; undefined if it comes from no source of this kind. */
  sourceOf(toolset: string): string | undefined {
    const source = sourceOf(toolset);
    return source?.kind === this.#options.kind ? source.name : undefined;
  }

  /**
   * Finds the source and the definition of a tool, by its toolset and its name in the registry; undefined if no source in use
   * offers it.
   */
  find({
    toolset,
    name,
  }: Pick<ToolSpec, 'toolset' | 'name'>): { source: string; used: Used; definition: ExternalDefinition } | undefined {
    const source = this.sourceOf(toolset);
    const used = source === undefined ? undefined : this.#used.get(source);
    const definition = used?.offer.definitionOf(name);
    return source === undefined || used === undefined || definition === undefined
      ? undefined
      : { source, used, definition };
  }

  /**
   * Offers the tools that `prepare` resolves with, instead of those that the source `used` offered before. `commit` is called
   * just before that, for example to record which definitions are allowed, without a pause between the two, so that no call can
   * use a definition that nobody has allowed. Resolves with undefined, and changes nothing, if the source has ended meanwhile.
   */
  async offer(
    name: string,
    used: Used,
    prepare: () => Promise<{ tools: OfferedTools; refused: readonly RefusedTool[] }>,
    commit: () => void = () => undefined,
  ): Promise<OfferOutcome | undefined> {
    const { tools, refused } = await prepare();
    if (!this.uses(name, used)) return undefined;
    commit();
    const problem = used.offer.replace(tools);
    return { refused, tokens: used.offer.tokens, problem };
  }
}
