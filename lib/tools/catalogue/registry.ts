import { presentedArguments } from '../core/presentation.ts';
import { type Tool, ToolDefinitionError } from '../core/tool.ts';
import { keywordsOf, propertiesOf, requiredOf, schemasIn } from '../schema/json-schema.ts';
import { parseToolInput } from '../schema/parse-input.ts';
import { CatalogueError, checkTogether } from './catalogue.ts';
import { ToolIndex } from './tool-index.ts';

const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** The tools of the studio's page or of a process, by name and alias. External tools can come and go while it runs. */
export class ToolRegistry {
  #index = new ToolIndex<Tool>([]);
  readonly #builtInToolsets: ReadonlySet<string>;
  readonly #listeners = new Set<() => void>();

  /**
   * `tools`: the program's own. Throws `ToolDefinitionError` for a tool whose definition is incomplete, such as a property
   * without a description, or whose name is taken.
   */
  constructor(tools: readonly Tool[]) {
    for (const tool of tools) checkOwn(tool);
    this.#index = new ToolIndex(tools);
    this.#builtInToolsets = new Set(tools.map(({ toolset }) => toolset));
  }

  /** The tools as they are now: a new index after each change. */
  get index(): ToolIndex<Tool> {
    return this.#index;
  }

  /** The tool with this name or alias. */
  get(name: string): Tool | undefined {
    return this.#index.get(name);
  }

  /** All tools in the order of registration, or those of the given toolsets. */
  list(toolsets?: readonly string[]): readonly Tool[] {
    return this.#index.list(toolsets);
  }

  /**
   * Adds external tools, and returns a function that removes them again. Throws `ToolDefinitionError` and adds none
   * if a name, an alias or a toolset is taken, or if there are too many tools to offer them together.
   */
  add(tools: readonly Tool[]): () => void {
    for (const { name, toolset } of tools)
      if (this.#builtInToolsets.has(toolset))
        throw new ToolDefinitionError(`Tool "${name}": the toolset "${toolset}" has only tools of the studio`);
    const all = [...this.#index.list(), ...tools];
    try {
      checkTogether(all);
    } catch (error) {
      throw error instanceof CatalogueError ? new ToolDefinitionError(error.message) : error;
    }
    this.#replace(all);
    return () => this.#replace(this.#index.list().filter((tool) => !tools.includes(tool)));
  }

  /** Calls back when tools have come or gone, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #replace(tools: readonly Tool[]): void {
    this.#index = new ToolIndex(tools);
    for (const listener of [...this.#listeners]) listener();
  }
}

type Refuse = (reason: string) => never;

/**
 * Checks the requirements for tools that are written for the studio, beyond what a schema can say. Throws `ToolDefinitionError`
 * if a tool does not meet them.
 */
function checkOwn(tool: Tool): void {
  const refuse: Refuse = (reason) => {
    throw new ToolDefinitionError(`Tool "${tool.name}": ${reason}`);
  };
  if (!NAME.test(tool.name)) refuse('the name must be lower-case snake case, at most 64 characters');
  if (tool.description.trim() === '') refuse('the description is empty');
  if (tool.toolset.trim() === '') refuse('the toolset is empty');
  checkProperties(tool.inputSchema, '', refuse);
  const names = propertiesOf(tool.inputSchema);
  for (const name of presentedArguments(tool.presentation)) {
    if (!names.has(name)) refuse(`the presentation names "${name}", which is not a property of the input`);
  }
  for (const [index, example] of (tool.examples ?? []).entries()) {
    const parsed = parseToolInput(tool, example.input);
    if (parsed.success) continue;
    const issues = parsed.issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
    refuse(`example ${index + 1} does not fit the schema: ${issues}`);
  }
}

function checkProperties(schema: unknown, path: string, refuse: Refuse): void {
  const properties = propertiesOf(schema);
  for (const required of requiredOf(schema)) {
    if (!properties.has(required)) refuse(`required property "${path}${required}" is not among its properties`);
  }
  for (const [name, property] of properties) {
    const where = `${path}${name}`;
    if (!isTyped(property)) throw refuse(`property "${where}" has no type`);
    const { description } = keywordsOf(property) ?? {};
    if (typeof description !== 'string' || description.trim() === '') refuse(`property "${where}" has no description`);
    checkNested(property, where, refuse);
  }
}

function checkNested(schema: unknown, where: string, refuse: Refuse): void {
  const { type, properties, items, additionalProperties } = keywordsOf(schema) ?? {};
  if (properties !== undefined) checkProperties(schema, `${where}.`, refuse);
  if (type === 'array') {
    if (!isTyped(items)) throw refuse(`the items of "${where}" have no type`);
    checkNested(items, `${where}[]`, refuse);
  }
  if (keywordsOf(additionalProperties) !== undefined) checkNested(additionalProperties, `${where}.*`, refuse);
  for (const branch of ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => schemasIn(schema, keyword))) {
    if (!isTyped(branch)) throw refuse(`a branch of "${where}" has no type`);
    checkNested(branch, where, refuse);
  }
}

function isTyped(schema: unknown): boolean {
  const keywords = keywordsOf(schema) ?? {};
  return ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf'].some((keyword) => keywords[keyword] !== undefined);
}
