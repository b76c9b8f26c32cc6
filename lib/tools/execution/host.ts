import type { CapabilityName, HostCapabilities } from '../capabilities/capabilities.ts';
import type { ToolRegistry } from '../catalogue/registry.ts';
import type { ToolSpec } from '../core/spec.ts';
import type { Tool } from '../core/tool.ts';

/** Checks whether a place with these capabilities can run a tool. */
const meetsNeeds = ({ needs }: Pick<ToolSpec, 'needs'>, capabilities: Partial<Record<CapabilityName, unknown>>) =>
  needs.every((need) => capabilities[need] !== undefined);

/** A set of tools that may change, such as the tools that a workspace defines, with access by name. */
export interface ToolSource {
  get(name: string): Tool | undefined;
  list(): readonly Tool[];
  /** Tells the model in one or two sentences why there is no tool of this name; undefined if nothing can be said. */
  whyMissing?(name: string): string | undefined;
}

/**
 * A place where tools run: a set of capabilities. It offers the tools of a registry, and its own local tools whose names the
 * registry does not have, as far as it meets their needs. Both sets may change.
 */
export class ToolHost {
  readonly capabilities: HostCapabilities;
  readonly #registry: ToolRegistry;
  readonly #local: ToolSource | undefined;

  constructor(registry: ToolRegistry, capabilities: HostCapabilities, local?: ToolSource) {
    this.#registry = registry;
    this.capabilities = capabilities;
    this.#local = local;
  }

  /** The tool with this name or alias; undefined if there is none, or if this host cannot run it. */
  get(name: string): Tool | undefined {
    const tool = this.#registry.get(name) ?? this.#local?.get(name);
    return tool !== undefined && meetsNeeds(tool, this.capabilities) ? tool : undefined;
  }

  /** Explains why there is no tool of this name; undefined if no more can be said. */
  whyMissing(name: string): string | undefined {
    return this.#local?.whyMissing?.(name);
  }

  /** All tools that this host offers, or only those of the given toolsets. */
  list(toolsets?: readonly string[]): readonly Tool[] {
    const local = (this.#local?.list() ?? []).filter(
      ({ name, toolset }) => this.#registry.get(name) === undefined && (toolsets?.includes(toolset) ?? true),
    );
    return [...this.#registry.list(toolsets), ...local].filter((tool) => meetsNeeds(tool, this.capabilities));
  }
}
