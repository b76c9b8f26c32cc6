import * as z from 'zod';
import type { ToolDefinition } from './tool.ts';

/** The JSON Schema (draft 7) of a tool's arguments, for providers and prompts. */
export type ToolInputJsonSchema = z.core.JSONSchema.JSONSchema & { type: 'object' };

// biome-ignore lint/suspicious/noExplicitAny: a registry holds tools of every input type; the executor validates before it calls
export type AnyToolDefinition = ToolDefinition<any>;

/** Thrown when a tool cannot be registered; the message says what to change. */
export class ToolDefinitionError extends Error {
  override readonly name = 'ToolDefinitionError';
}

const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** All tools, by name and alias. Names come from models, so they are only ever looked up in a `Map`. */
export class ToolRegistry {
  #tools = new Map<string, AnyToolDefinition>();
  #aliases = new Map<string, AnyToolDefinition>();

  /** Throws `ToolDefinitionError` for a definition that cannot be given to a model, or a name that is already taken. */
  constructor(definitions: readonly AnyToolDefinition[]) {
    for (const definition of definitions) this.#register(definition);
  }

  /** The tool with this name or alias. */
  get(name: string): AnyToolDefinition | undefined {
    return this.#tools.get(name) ?? this.#aliases.get(name);
  }

  /** All tools in the order of registration, or those of the given toolsets. */
  list(toolsets?: readonly string[]): readonly AnyToolDefinition[] {
    const all = [...this.#tools.values()];
    return toolsets === undefined ? all : all.filter((tool) => toolsets.includes(tool.toolset));
  }

  #register(tool: AnyToolDefinition): void {
    const refuse: Refuse = (reason) => {
      throw new ToolDefinitionError(`Tool "${tool.name}": ${reason}`);
    };
    if (!NAME.test(tool.name)) refuse('the name must be lower-case snake case, at most 64 characters');
    if (tool.description.trim() === '') refuse('the description is empty');
    if (tool.toolset.trim() === '') refuse('the toolset is empty');
    for (const name of [tool.name, ...(tool.aliases ?? [])]) {
      if (this.get(name) !== undefined) refuse(`the name or alias "${name}" is already registered`);
    }
    const schema = toolInputJsonSchema(tool);
    checkProperties(schema, '', refuse);
    const names = Object.keys(schema.properties ?? {});
    if (tool.primaryArgument !== undefined && !names.includes(tool.primaryArgument)) {
      refuse(`primaryArgument "${tool.primaryArgument}" is not a property of the input`);
    }
    for (const [index, example] of (tool.examples ?? []).entries()) {
      const parsed = tool.inputSchema.safeParse(example.input);
      if (!parsed.success) refuse(`example ${index + 1} does not fit the schema: ${z.prettifyError(parsed.error)}`);
    }
    this.#tools.set(tool.name, tool);
    for (const alias of tool.aliases ?? []) this.#aliases.set(alias, tool);
  }
}

const inputJsonSchemas = new WeakMap<AnyToolDefinition, ToolInputJsonSchema>();

/** The cached schema of a tool's input. Throws if it is not an object or cannot be expressed in JSON Schema. */
export function toolInputJsonSchema(tool: AnyToolDefinition): ToolInputJsonSchema {
  const schema = inputJsonSchemas.get(tool) ?? toJsonSchema(tool);
  inputJsonSchemas.set(tool, schema);
  return schema;
}

function toJsonSchema(tool: AnyToolDefinition): ToolInputJsonSchema {
  let converted: z.core.JSONSchema.BaseSchema;
  try {
    converted = z.toJSONSchema(tool.inputSchema, { target: 'draft-7', io: 'input' });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ToolDefinitionError(`Tool "${tool.name}": the input schema is not JSON Schema: ${reason}`);
  }
  const { $schema: _, ...schema } = converted;
  if (schema.type !== 'object')
    throw new ToolDefinitionError(`Tool "${tool.name}": the input schema must be an object`);
  return { ...schema, type: 'object' };
}

type Refuse = (reason: string) => never;

type JsonSchema = z.core.JSONSchema.JSONSchema;

function checkProperties(schema: JsonSchema, path: string, refuse: Refuse): void {
  const properties = new Map(Object.entries(schema.properties ?? {}));
  for (const required of schema.required ?? []) {
    if (!properties.has(required)) refuse(`required property "${path}${required}" is not among its properties`);
  }
  for (const [name, property] of properties) {
    const where = `${path}${name}`;
    if (typeof property === 'boolean' || !isTyped(property)) throw refuse(`property "${where}" has no type`);
    if ((property.description ?? '').trim() === '') refuse(`property "${where}" has no description`);
    checkNested(property, where, refuse);
  }
}

function checkNested(schema: JsonSchema, where: string, refuse: Refuse): void {
  if (schema.properties !== undefined) checkProperties(schema, `${where}.`, refuse);
  const items = schema.items;
  if (schema.type === 'array') {
    if (items === undefined || typeof items === 'boolean' || Array.isArray(items) || !isTyped(items)) {
      throw refuse(`the items of "${where}" have no type`);
    }
    checkNested(items, `${where}[]`, refuse);
  }
  if (typeof schema.additionalProperties === 'object') checkNested(schema.additionalProperties, `${where}.*`, refuse);
  for (const branch of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) {
    if (typeof branch === 'boolean' || !isTyped(branch)) throw refuse(`a branch of "${where}" has no type`);
    checkNested(branch, where, refuse);
  }
}

const isTyped = (schema: JsonSchema): boolean =>
  schema.type !== undefined ||
  schema.enum !== undefined ||
  schema.const !== undefined ||
  schema.anyOf !== undefined ||
  schema.oneOf !== undefined ||
  schema.allOf !== undefined;
