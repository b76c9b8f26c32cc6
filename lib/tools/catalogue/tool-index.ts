import type { ToolSpec } from '../core/spec.ts';
import { ToolDefinitionError } from '../core/tool.ts';

/** Tools by name and alias. Names come from models, so they are only ever looked up in a `Map`. Immutable. */
export class ToolIndex<T extends ToolSpec = ToolSpec> {
  readonly #tools = new Map<string, T>();
  readonly #aliases = new Map<string, T>();
  readonly #all: readonly T[];

  /** Throws `ToolDefinitionError` if two tools have a name or an alias in common. */
  constructor(tools: readonly T[]) {
    for (const tool of tools) {
      for (const name of [tool.name, ...(tool.aliases ?? [])]) {
        if (this.get(name) !== undefined)
          throw new ToolDefinitionError(`Tool "${tool.name}": the name or alias "${name}" is already registered`);
      }
      this.#tools.set(tool.name, tool);
      for (const alias of tool.aliases ?? []) this.#aliases.set(alias, tool);
    }
    this.#all = tools;
  }

  /** An index of these tools and of those `others` whose names are not taken. */
  with(others: readonly T[]): ToolIndex<T> {
    const added = others.filter(({ name }) => this.get(name) === undefined);
    return added.length === 0 ? this : new ToolIndex([...this.#all, ...added]);
  }

  /** The tool with this name or alias. */
  get(name: string): T | undefined {
    return this.#tools.get(name) ?? this.#aliases.get(name);
  }

  /** All tools in their order, or those of the given toolsets. */
  list(toolsets?: readonly string[]): readonly T[] {
    return toolsets === undefined ? this.#all : this.#all.filter((tool) => toolsets.includes(tool.toolset));
  }
}
