import { estimateTokens } from '#lib/base/estimate-tokens.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { pause } from '#lib/base/pause.ts';
import type { ExternalDefinition, RefusedTool } from '#lib/tools/catalogue/external-definition.ts';
import type { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import { specOf } from '#lib/tools/core/spec.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import { isReservedName } from '#lib/tools/tool-search/finders.ts';

/** A tool that is offered, and the definition from which it was made. */
interface OfferedTool<Definition extends ExternalDefinition = ExternalDefinition> {
  definition: Definition;
  tool: Tool;
}

/**
 * The external tools that a source, such as a tool server, offers, each with the definition from which it was made. The keys
 * are the source's names for the tools.
 */
export type OfferedTools<Definition extends ExternalDefinition = ExternalDefinition> = ReadonlyMap<
  string,
  OfferedTool<Definition>
>;

/** Makes the tool for a definition. May throw for one that cannot be used; the message is for people. */
interface ToolMaker<Definition extends ExternalDefinition> {
  /** The name that the tool gets in the registry. */
  nameOf(definition: Definition): string;
  make(definition: Definition): Tool;
}

/** The time for which tools are made before the event loop can do other work, in milliseconds. */
const TURN_MS = 30;

/** The external tools that one source, such as a tool server, offers in the tool registry. */
export class ToolOffer<Definition extends ExternalDefinition = ExternalDefinition> {
  readonly #registry: Pick<ToolRegistry, 'add' | 'get'>;
  #tools: OfferedTools<Definition> = new Map();
  #remove = (): void => {};

  constructor(registry: Pick<ToolRegistry, 'add' | 'get'>) {
    this.#registry = registry;
  }

  /** The tools that are offered now. */
  get tools(): OfferedTools<Definition> {
    return this.#tools;
  }

  /** The estimated tokens that the offered tools take up in each prompt. */
  get tokens(): number {
    const texts = [...this.#tools.values()].map(({ tool }) => JSON.stringify(specOf(tool)));
    return texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  }

  /** Returns the definition of a tool by its name in the registry; undefined if the tool is not of this offer. */
  definitionOf(toolName: string): Definition | undefined {
    for (const { definition, tool } of this.#tools.values()) if (tool.name === toolName) return definition;
    return undefined;
  }

  /**
   * Makes tools from definitions. They are not offered before `replace`. A tool whose definition is unchanged stays the same
   * object. `refused`: definitions whose name is taken, or from which no tool can be made, with the reasons.
   */
  async prepare(
    definitions: Iterable<Definition>,
    { nameOf, make }: ToolMaker<Definition>,
  ): Promise<{ tools: OfferedTools<Definition>; refused: RefusedTool[] }> {
    const own = new Set([...this.#tools.values()].map(({ tool }) => tool));
    const tools = new Map<string, OfferedTool<Definition>>();
    const refused: RefusedTool[] = [];
    let turn = performance.now();
    for (const definition of definitions) {
      // Reading an external schema may take a while.
      if (performance.now() - turn > TURN_MS) {
        await pause();
        turn = performance.now();
      }
      const { name, hash } = definition;
      const known = this.#tools.get(name);
      try {
        const toolName = nameOf(definition);
        const holder = this.#registry.get(toolName);
        if (known?.definition.hash === hash) tools.set(name, known);
        else if (isReservedName(toolName) || (holder !== undefined && !own.has(holder)))
          refused.push({ name, reason: 'Another tool has this name.' });
        else tools.set(name, { definition, tool: make(definition) });
      } catch (error) {
        refused.push({ name, reason: messageOf(error) });
      }
    }
    return { tools, refused };
  }

  /**
   * Offers these tools instead of those before, in one step. Returns undefined, or the reason if the registry refuses them;
   * then none is offered.
   */
  replace(tools: OfferedTools<Definition>): string | undefined {
    const isSame = tools.size === this.#tools.size && [...tools].every(([name, one]) => this.#tools.get(name) === one);
    if (isSame) return undefined;
    this.withdraw();
    try {
      this.#remove = this.#registry.add([...tools.values()].map(({ tool }) => tool));
      this.#tools = tools;
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  }

  /** Takes all tools out of the registry. */
  withdraw(): void {
    this.#remove();
    this.#remove = () => {};
    this.#tools = new Map();
  }
}
