import { defined } from '#lib/base/defined.ts';
import { keywordsOf } from '#lib/tools/schema/json-schema.ts';
import { faultsOf } from '../api-faults.ts';
import { METHODS, type RestTool, restToolSchema } from '../api-tool.ts';
import { REST_LIMITS } from '../limits.ts';
import { listOf, type Node, objectAt, textOf } from './document.ts';
import { DocumentError } from './document-error.ts';
import { parametersOf } from './parameters.ts';
import { SchemaReader } from './schema.ts';
import { secretHeadersOf } from './security.ts';

/** An operation of an OpenAPI document, as it is listed for a person to choose. */
export interface ListedOperation {
  /** The name of the operation and of its tool, unique in the document. */
  name: string;
  method: RestTool['method'];
  path: string;
  /** A short description; may be empty. */
  summary: string;
  isDeprecated: boolean;
  /** The reason why the operation cannot be chosen; undefined if it can be. */
  problem: string | undefined;
}

/** The operations of an OpenAPI document, and the tools that they become, by name. Operations with a problem have no tool. */
export interface Operations {
  listed: ListedOperation[];
  tools: ReadonlyMap<string, RestTool>;
  /** The number of operations beyond the limit, which are not listed. */
  left: number;
}

const METHOD_NAMES: ReadonlyMap<string, RestTool['method']> = new Map(
  METHODS.map((method) => [method.toLowerCase(), method]),
);

/** The maximum length of an operation's summary, in characters. */
const SUMMARY_MAX = 200;

/**
 * Reads the operations of an OpenAPI document, and makes a tool of each. One that cannot be used is listed with the reason, and
 * does not affect the others. At most `REST_LIMITS.operations` are listed.
 */
export function readOperations(root: Node): Operations {
  const tools = new Map<string, RestTool>();
  const listed: ListedOperation[] = [];
  const names = new Set<string>();
  const secretHeaders = new Set(secretHeadersOf(root).map(({ name }) => name.toLowerCase()));
  let left = 0;
  for (const [path, given] of Object.entries(keywordsOf(root.paths) ?? {})) {
    for (const { method, operation, item, fault } of operationsAt(root, given)) {
      if (listed.length >= REST_LIMITS.operations) {
        left++;
        continue;
      }
      const name = nameFor(textOf(operation.operationId) ?? `${method} ${path}`, names);
      names.add(name);
      let problem = fault;
      try {
        if (problem === undefined)
          tools.set(name, toolOf(root, { name, method, path, operation, item, secretHeaders }));
      } catch (error) {
        if (!(error instanceof DocumentError)) throw error;
        problem = error.message;
      }
      listed.push({
        name,
        method,
        path: path.slice(0, REST_LIMITS.text),
        problem,
        summary: (textOf(operation.summary) ?? textOf(operation.description) ?? '').slice(0, SUMMARY_MAX),
        isDeprecated: operation.deprecated === true,
      });
    }
  }
  return { listed, tools, left };
}

interface FoundOperation {
  method: RestTool['method'];
  operation: Node;
  item: Node;
  fault?: string;
}

function* operationsAt(root: Node, given: unknown): Generator<FoundOperation> {
  let item: Node | undefined;
  try {
    item = objectAt(root, given);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    yield { method: 'GET', operation: {}, item: {}, fault: error.message };
    return;
  }
  for (const [key, operation] of Object.entries(item ?? {})) {
    const method = METHOD_NAMES.get(key);
    const node = keywordsOf(operation);
    if (item !== undefined && method !== undefined && node !== undefined) yield { method, operation: node, item };
  }
}

interface Operation extends FoundOperation {
  name: string;
  path: string;
  secretHeaders: ReadonlySet<string>;
}

function toolOf(root: Node, { name, method, path, operation, item, secretHeaders }: Operation): RestTool {
  if (listOf(operation.servers ?? item.servers).length > 0)
    throw new DocumentError('It is at another address than the rest of the API.');
  const reader = new SchemaReader(root);
  const body = method === 'GET' || method === 'HEAD' ? undefined : bodyOf(root, operation.requestBody, reader);
  const parameters = parametersOf(root, [item.parameters, operation.parameters], {
    reader,
    hasBody: body !== undefined,
    secretHeaders,
  });
  const title = textOf(operation.summary)?.slice(0, SUMMARY_MAX);
  const description = [title, textOf(operation.description)].filter((text) => text !== undefined).join('\n\n');
  const definitions = reader.definitions();
  const parsed = restToolSchema.safeParse({
    name,
    ...defined({ title }),
    description: (description || `${method} ${path}`).slice(0, REST_LIMITS.description),
    method,
    path,
    parameters,
    ...defined({ body, $defs: definitions }),
  });
  const [issue] = parsed.success ? faultsOf({ baseUrl: '', headers: {}, tools: [parsed.data] }) : parsed.error.issues;
  if (issue === undefined && parsed.success) return parsed.data;
  throw new DocumentError(`It can’t be described: ${issue?.path.slice(-2).join('.')}: ${issue?.message}.`);
}

const JSON_BODY = /^(application\/([\w.+-]+\+)?json|\*\/\*)\s*(;.*)?$/i;

function bodyOf(root: Node, given: unknown, reader: SchemaReader) {
  const body = objectAt(root, given);
  if (body === undefined) return undefined;
  const types = Object.entries(objectAt(root, body.content) ?? {});
  const found =
    types.find(([type]) => /^application\/json/i.test(type)) ?? types.find(([type]) => JSON_BODY.test(type));
  const required = body.required === true;
  if (found === undefined) {
    if (!required && types.length === 0) return undefined;
    // Without its body, few operations do what they are for, also where the document forgets that it is required.
    const shown = types.map(([type]) => type.slice(0, 100)).join(', ') || 'of no known type';
    throw new DocumentError(`Its body is ${shown}, not JSON.`);
  }
  const [type, content] = found;
  const mediaType = type.split(';')[0]?.trim().toLowerCase();
  const schema = objectAt(root, content)?.schema;
  const description = textOf(body.description)?.slice(0, REST_LIMITS.description);
  return {
    required,
    ...defined({ description }),
    schema: schema === undefined ? true : reader.read(schema),
    ...(mediaType !== 'application/json' && mediaType !== '*/*' && { mediaType }),
  };
}

/** Makes a name for a tool from the wanted one, different from all known names. */
function nameFor(wanted: string, known: ReadonlySet<string>): string {
  const plain =
    wanted
      .replaceAll(/[^A-Za-z0-9_.-]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 58) || 'operation';
  for (let count = 1; ; count++) {
    const name = count === 1 ? plain : `${plain}_${count}`;
    if (!known.has(name)) return name;
  }
}
