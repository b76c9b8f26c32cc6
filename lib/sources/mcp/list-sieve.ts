import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import * as z from 'zod';
import type { RefusedTool } from '#lib/tools/catalogue/external-definition.ts';
import { keywordsOf } from '#lib/tools/schema/json-schema.ts';
import { excessReason } from './definition.ts';
import { MCP_LIMITS } from './limits.ts';

/** Makes a property optional, and reads `null` as absent, because servers often mean that. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => value ?? undefined, schema.optional());

const text = z.string();

/** The schema of a tool's arguments, as far as the protocol's client checks it, in either era of the protocol. */
const objectSchema = z.preprocess(
  asObjectSchema,
  z.looseObject({
    $schema: text.optional(),
    type: z.literal('object'),
    properties: z.record(z.string(), z.unknown()).optional(),
    required: z.array(text).optional(),
  }),
);

/** Keywords that show that a schema without a type does not describe an object. */
const OF_VALUES = ['enum', 'const', 'items', 'prefixItems'] as const;

/**
 * Corrects the schema of a tool's arguments, which is meant for an object: adds the type `object`, and leaves out empty
 * keywords. A schema that is clearly not for an object is returned as it is, and then refused.
 */
function asObjectSchema(schema: unknown): unknown {
  if (schema === undefined || schema === null || schema === true) return { type: 'object' };
  const keywords = keywordsOf(schema);
  if (keywords === undefined) return schema;
  const { type, properties, required, ...rest } = keywords;
  const isObject =
    type === undefined
      ? OF_VALUES.every((name) => !(name in rest))
      : [type].flat().some((one) => String(one).toLowerCase() === 'object');
  if (!isObject) return schema;
  const hasNone = properties === null || (Array.isArray(properties) && properties.length === 0);
  return {
    ...rest,
    type: 'object',
    ...(properties !== undefined && !hasNone && { properties }),
    ...(required !== undefined && required !== null && { required }),
  };
}

/**
 * Schemas of the entries in each list, by the server's name for the list. They have only the properties that the studio
 * uses, so that no others can be malformed.
 */
const ENTRIES = {
  tools: z.object({
    name: text,
    title: optional(text),
    description: optional(text),
    inputSchema: objectSchema,
    outputSchema: z.unknown().optional(),
    annotations: optional(
      z.looseObject({
        title: optional(text),
        readOnlyHint: optional(z.boolean()),
        destructiveHint: optional(z.boolean()),
        idempotentHint: optional(z.boolean()),
        openWorldHint: optional(z.boolean()),
      }),
    ),
  }),
  prompts: z.object({
    name: text,
    title: optional(text),
    description: optional(text),
    arguments: optional(
      z.array(z.object({ name: text, description: optional(text), required: optional(z.boolean()) })),
    ),
  }),
  resources: z.object({
    uri: text,
    name: text,
    title: optional(text),
    description: optional(text),
    mimeType: optional(text),
    size: optional(z.number()),
  }),
  resourceTemplates: z.object({
    uriTemplate: text,
    name: text,
    title: optional(text),
    description: optional(text),
    mimeType: optional(text),
  }),
} as const;

/** The name of a list that a server can offer, such as `tools`. */
export type ListName = keyof typeof ENTRIES;

/** A well-formed entry of one of a server's lists, such as a tool of its tools. */
export type ListEntry<List extends ListName = ListName> = z.infer<(typeof ENTRIES)[List]>;

/** The result of reading a list: its well-formed entries, and the refused ones. */
export interface ReadEntries<List extends ListName> {
  entries: ListEntry<List>[];
  refused: RefusedTool[];
}

/** The part of a list that has been read so far. */
interface ReadList {
  entries: ListEntry[];
  refused: RefusedTool[];
  /** The length of all pages as JSON text, in characters. */
  length: number;
}

const LIST_NAMES = Object.keys(ENTRIES) as ListName[];

/**
 * Reads a server's lists before the client does, which would refuse a whole list for one malformed entry: only entries that
 * are well-formed are passed on, and of them only what the client needs. A list that is too large, over all of its pages,
 * becomes an error.
 */
export class ListSieve {
  readonly #lists = new Map<ListName, ReadList>();

  /** Prepares for the pages of a list. Must be called before the server is asked for it. */
  begin(list: ListName): void {
    this.#lists.set(list, { entries: [], refused: [], length: 0 });
  }

  /** Ends what `begin` began. Returns the entries that `take` has read since, in their order, and the refused ones. */
  end<List extends ListName>(list: List): ReadEntries<List> {
    const { entries = [], refused = [] } = this.#lists.get(list) ?? {};
    this.#lists.delete(list);
    return { entries: entries as ListEntry<List>[], refused };
  }

  /**
   * Changes a message of the server if it is a page of a list that was asked for: leaves only the well-formed entries in it, or
   * makes it an error if the list is too large. For `onmessage` of a transport.
   */
  take(message: JSONRPCMessage): void {
    if (!('result' in message)) return;
    const result = message.result as Record<string, unknown>;
    const list = LIST_NAMES.find((name) => this.#lists.has(name) && Array.isArray(result[name]));
    const read = list && this.#lists.get(list);
    if (list === undefined || read === undefined) return;
    result[list] = (result[list] as unknown[]).flatMap((entry) => this.#takeEntry(list, read, entry));
    if (read.length <= MCP_LIMITS.listRead) return;
    const error = {
      code: -32_603,
      message: `The server’s list of ${list} has more than ${MCP_LIMITS.listRead} characters.`,
    };
    delete (message as { result?: unknown }).result;
    Object.assign(message, { error });
  }

  #takeEntry(list: ListName, read: ReadList, entry: unknown): object[] {
    const excess = excessReason(entry);
    // An entry that is too large to be measured counts as much as the largest one that is not.
    read.length += excess === undefined ? JSON.stringify(entry).length : MCP_LIMITS.definition;
    const parsed = excess === undefined ? ENTRIES[list].safeParse(entry) : undefined;
    if (parsed?.success === true) {
      // Without the properties that are absent.
      const own = JSON.parse(JSON.stringify(parsed.data)) as ListEntry;
      read.entries.push(own);
      return [neededOf(own)];
    }
    const reason = excess ?? (parsed === undefined ? '' : reasonOf(parsed.error));
    if (read.refused.length < MCP_LIMITS.tools) read.refused.push({ name: nameOf(entry), reason });
    return [];
  }
}

/** Returns the part of an entry that the client needs. */
function neededOf(entry: ListEntry): object {
  if ('inputSchema' in entry) return { name: entry.name, inputSchema: entry.inputSchema };
  if ('uri' in entry) return { name: entry.name, uri: entry.uri };
  return 'uriTemplate' in entry ? { name: entry.name, uriTemplate: entry.uriTemplate } : { name: entry.name };
}

/** Returns the name that a malformed entry seems to have; `?` if it has none. */
function nameOf(entry: unknown): string {
  const name = typeof entry === 'object' && entry !== null && 'name' in entry ? entry.name : undefined;
  return typeof name === 'string' ? name.slice(0, MCP_LIMITS.name) : '?';
}

function reasonOf(error: z.ZodError): string {
  const [issue] = error.issues;
  const path = issue?.path.map(String).join('.') ?? '';
  if (path === 'inputSchema' || path === 'inputSchema.type')
    return 'Its arguments are not described by a JSON Schema of the type “object”.';
  const what = path === '' ? 'This entry' : `Its “${path.slice(0, MCP_LIMITS.name)}”`;
  return `${what} is not what the protocol asks for (${issue?.message ?? 'unknown'}).`;
}
