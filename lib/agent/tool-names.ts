import { ToolIndex } from '#lib/tools/catalogue/tool-index.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';

/** The length of names, in characters, that every provider accepts; longer names are cut to it. */
const LONGEST = 64;

/**
 * Matches names that tools may have if they are described in the prompt's text: the parser can read these in all forms of
 * calls.
 */
export const PROMPTED_NAME = /^[A-Za-z_][\w-]{0,63}$/;

/**
 * The names of tools as a model sees them. External tools may have names that a provider does not accept; each of those is
 * replaced by a name that no other tool has, and the names in the model's calls are converted back to the real ones.
 */
export class ToolNaming {
  /** The tools, under the names that the model sees. */
  readonly tools: readonly ToolSpec[];
  readonly #accepted: RegExp;
  readonly #shown = new Map<string, string>();
  readonly #real = new Map<string, string>();
  readonly #all: ToolIndex;

  /**
   * `all`: the tools that a model may name. `accepted`: the names that the model's provider accepts. `tools`: those on
   * offer; by default, all.
   */
  constructor(all: ToolIndex, accepted: RegExp, tools: readonly ToolSpec[] = all.list()) {
    this.#accepted = accepted;
    this.#all = all;
    // First come those that keep their names.
    for (const { name } of tools) if (accepted.test(name)) this.#map(name, name);
    for (const { name } of tools) if (!accepted.test(name)) this.#map(name, this.#free(name));
    this.tools = tools.map((tool) => {
      const name = this.shown(tool.name);
      return name === tool.name ? tool : { ...tool, name };
    });
  }

  /**
   * Returns the name under which the model sees a tool, by the tool's own name. A name of no tool, such as one that a model
   * invented, is made acceptable.
   */
  shown(name: string): string {
    return this.#shown.get(name) ?? (this.#accepted.test(name) ? name : acceptable(name));
  }

  /** The tool's own name, by the name that the model wrote; names of no tool stay as they are. */
  real(shown: string): string {
    return this.#real.get(shown) ?? shown;
  }

  /**
   * Returns an index of all tools, in which each can be found by its own name, and by the name under which this model sees it.
   */
  known(): ToolIndex {
    if (this.tools.every(({ name }) => this.real(name) === name)) return this.#all;
    return new ToolIndex(
      this.#all.list().map((tool) => {
        const shown = this.#shown.get(tool.name) ?? tool.name;
        return shown === tool.name ? tool : { ...tool, aliases: [...(tool.aliases ?? []), shown] };
      }),
    );
  }

  #map(name: string, shown: string): void {
    this.#shown.set(name, shown);
    this.#real.set(shown, name);
  }

  #free(name: string): string {
    const base = acceptable(name);
    let free = base;
    for (let number = 2; this.#real.has(free) || this.#all.get(free) !== undefined; number++) {
      const suffix = `_${number}`;
      free = base.slice(0, LONGEST - suffix.length) + suffix;
    }
    return free;
  }
}

function acceptable(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  return (/^[A-Za-z_]/.test(plain) ? plain : `_${plain}`).slice(0, LONGEST);
}
