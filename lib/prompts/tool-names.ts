import type { ObjectSchema } from '#lib/tools/schema/json-schema.ts';

/** The parts of a tool that the parser must know. */
export interface ProtocolTool {
  name: string;
  inputSchema: ObjectSchema;
}

/** Namespaces that models put before a tool's name, as their training data did. */
const PREFIXES = ['functions.', 'assistant.functions.', 'default_api.', 'default_api:', 'tools.', 'tool.', 'api.'];

/**
 * Matches a word in a place where a call may name its tool: directly after a marker, or in front of something that could
 * introduce arguments.
 */
const CALLED =
  /(?:(?<=[>\]]\s{0,9}|@@call )([\w.]+)|(?<![\w./-])([\w.]+)(?:["'”’]\s*[,}\]]|["'”’]?\s*[({<>[:=\n]|\s*$))/g;

/**
 * Looks up tools by the names that models write. Case, and namespaces such as `functions.`, are ignored if the result is
 * unambiguous.
 */
export class ToolNames {
  readonly #byName = new Map<string, ProtocolTool>();
  /** The tools by lower-case name; null if several tools differ only in case. */
  readonly #byFoldedName = new Map<string, ProtocolTool | null>();
  /**
   * All beginnings of the tools' names, with and without namespaces, in lower case; undefined until they are needed, which they
   * are for few replies.
   */
  #prefixes: ReadonlySet<string> | undefined;

  constructor(tools: readonly ProtocolTool[]) {
    for (const tool of tools) {
      const folded = tool.name.toLowerCase();
      this.#byName.set(tool.name, tool);
      this.#byFoldedName.set(folded, this.#byFoldedName.has(folded) ? null : tool);
    }
  }

  /** Finds the tool that a written name refers to; undefined if there is none. */
  find(written: string): ProtocolTool | undefined {
    const name = withoutPrefix(written.trim());
    return this.#byName.get(name) ?? this.#byFoldedName.get(name.toLowerCase()) ?? undefined;
  }

  /** Checks whether an unknown name is only a placeholder, such as `TOOL_NAME`, as in a description of the format. */
  isPlaceholder(written: string): boolean {
    return this.find(written) === undefined && /^([A-Z_]+|((tool|function|my)_?)?name)$/.test(written.trim());
  }

  /** Finds the first tool that is named in a text at a position where a call would name it; undefined if there is none. */
  findCalled(text: string): ProtocolTool | undefined {
    for (const [, marked, other] of text.matchAll(CALLED)) {
      const tool = this.find(marked ?? other ?? '');
      if (tool !== undefined) return tool;
    }
    return undefined;
  }

  /** Checks whether the name of a known tool may start with this text. */
  mayBegin(written: string): boolean {
    this.#prefixes ??= prefixesOf(this.#byFoldedName.keys());
    return this.#prefixes.has(written.toLowerCase());
  }

  /**
   * Returns the name under which a call is reported: the tool's own, or the written one without its namespace if no tool has
   * it.
   */
  nameOf(written: string): string {
    return this.find(written)?.name ?? withoutPrefix(written.trim());
  }
}

function prefixesOf(names: Iterable<string>): ReadonlySet<string> {
  const prefixes = new Set<string>();
  for (const name of names)
    for (const written of [name, ...PREFIXES.map((prefix) => prefix + name)])
      for (let length = 1; length <= written.length; length++) prefixes.add(written.slice(0, length));
  return prefixes;
}

function withoutPrefix(name: string): string {
  const prefix = PREFIXES.find((known) => name.toLowerCase().startsWith(known));
  return prefix === undefined ? name : name.slice(prefix.length);
}
