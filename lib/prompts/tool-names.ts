import type { ToolInputJsonSchema } from '#lib/tools/registry.ts';

export interface ProtocolTool {
  name: string;
  inputSchema: ToolInputJsonSchema;
}

/** Namespaces that models put before a tool's name, because their training data did. */
const PREFIXES = ['functions.', 'assistant.functions.', 'default_api.', 'tools.', 'tool.', 'api.'];

/** A word right behind a marker, or with something behind it that arguments could stand in. */
const CALLED =
  /(?:(?<=[>\]]\s{0,9}|@@call )([\w.]+)|(?<![\w./-])([\w.]+)(?:["'”’]\s*[,}\]]|["'”’]?\s*[({<>[:=\n]|\s*$))/g;

/** The known tools by what models write for their names: case and namespaces are forgiven where that is unique. */
export class ToolNames {
  readonly #byName = new Map<string, ProtocolTool>();
  /** By lower-case name; null where several tools differ in case only. */
  readonly #byFoldedName = new Map<string, ProtocolTool | null>();
  readonly #prefixes = new Set<string>();

  constructor(tools: readonly ProtocolTool[]) {
    for (const tool of tools) {
      const folded = tool.name.toLowerCase();
      this.#byName.set(tool.name, tool);
      this.#byFoldedName.set(folded, this.#byFoldedName.has(folded) ? null : tool);
      for (const written of [folded, ...PREFIXES.map((prefix) => prefix + folded)]) {
        for (let length = 1; length <= written.length; length++) this.#prefixes.add(written.slice(0, length));
      }
    }
  }

  /** The tool that a written name means; undefined for a name that no tool has. */
  find(written: string): ProtocolTool | undefined {
    const name = withoutPrefix(written.trim());
    return this.#byName.get(name) ?? this.#byFoldedName.get(name.toLowerCase()) ?? undefined;
  }

  /** Whether an unknown name only stands for one, as in a description of a form. */
  isPlaceholder(written: string): boolean {
    return this.find(written) === undefined && /^([A-Z_]+|((tool|function|my)_?)?name)$/.test(written.trim());
  }

  /** The first tool that a text names where a call does. */
  findCalled(text: string): ProtocolTool | undefined {
    for (const [, marked, other] of text.matchAll(CALLED)) {
      const tool = this.find(marked ?? other ?? '');
      if (tool !== undefined) return tool;
    }
    return undefined;
  }

  /** Whether the name of a known tool may begin like this. */
  mayBegin(written: string): boolean {
    return this.#prefixes.has(written.toLowerCase());
  }

  /** The name a call is reported under. */
  nameOf(written: string): string {
    return this.find(written)?.name ?? withoutPrefix(written.trim());
  }
}

function withoutPrefix(name: string): string {
  const prefix = PREFIXES.find((known) => name.toLowerCase().startsWith(known));
  return prefix === undefined ? name : name.slice(prefix.length);
}
