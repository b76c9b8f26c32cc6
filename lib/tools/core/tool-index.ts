import type { ToolSpec } from './spec.ts';
import { ToolDefinitionError } from './tool.ts';

/** Tools by name and alias. Names come from models, so they are only ever looked up in a `Map`. Immutable. */
export class ToolIndex<T extends ToolSpec = ToolSpec> {
  readonly #tools = new Map<string, T>();
  readonly #aliases = new Map<string, T>();

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
  }

  /** The tool with this name or alias. */
  get(name: string): T | undefined {
    return this.#tools.get(name) ?? this.#aliases.get(name);
  }

  /** All tools in their order, or those of the given toolsets. */
  list(toolsets?: readonly string[]): readonly T[] {
    const all = [...this.#tools.values()];
    return toolsets === undefined ? all : all.filter((tool) => toolsets.includes(tool.toolset));
  }
}
