import { defined } from '#lib/base/defined.ts';
import { excessOf } from '#lib/base/json-size.ts';
import { type ExternalDefinition, type RefusedTool, withHash } from '#lib/tools/catalogue/external-definition.ts';
import { type JsonSchema, keywordsOf, type ObjectSchema } from '#lib/tools/schema/json-schema.ts';
import type { RestApi } from './api.ts';
import { argumentOf, BODY, isRequired, type RestTool } from './api-tool.ts';
import { REST_LIMITS } from './limits.ts';

/** The definitions of an API's tools, and the tools that are refused. `index`: the tool's place in the description. */
interface ApiDefinitions {
  tools: { index: number; definition: ExternalDefinition }[];
  refused: (RefusedTool & { index: number })[];
}

/**
 * Makes the definitions of an API's tools, which the model and the person are shown. A definition holds everything that decides
 * about a request, so a change of any of it changes the definition's hash. A tool is refused, with the reason, if its
 * definition is nested too deeply, or is too large, alone or together with those before it.
 */
export async function definitionsOf(api: RestApi): Promise<ApiDefinitions> {
  const result: ApiDefinitions = { tools: [], refused: [] };
  let length = 0;
  for (const [index, tool] of api.tools.entries()) {
    const described = describe(api, tool);
    const size = JSON.stringify(described).length;
    const reason = problemOf(described, size, length + size);
    if (reason !== undefined) {
      result.refused.push({ index, name: tool.name, reason });
      continue;
    }
    length += size;
    result.tools.push({ index, definition: await withHash(described) });
  }
  return result;
}

function problemOf(described: unknown, size: number, all: number): string | undefined {
  if (size > REST_LIMITS.definition) return `its definition has more than ${REST_LIMITS.definition} characters`;
  if (all > REST_LIMITS.definitions)
    return `the definitions of all tools together have more than ${REST_LIMITS.definitions} characters`;
  return excessOf(described, REST_LIMITS) === undefined ? undefined : 'its definition is nested too deeply';
}

function describe(api: RestApi, tool: RestTool): Omit<ExternalDefinition, 'hash'> {
  const { name, title, description, method, path, parameters, body, result } = tool;
  const headers = { ...api.headers, ...tool.headers };
  return {
    name,
    ...defined({ title }),
    description,
    inputSchema: inputSchemaOf(tool),
    isDestructive: method === 'DELETE',
    annotations: {
      request: `${method} ${addressOf(api, path)}`,
      ...(parameters.length > 0 && {
        parameters: Object.fromEntries(
          parameters.map((parameter) => {
            const { in: place, name: own, style } = parameter;
            return [argumentOf(parameter), [place, own, ...(style === undefined ? [] : [style])].join(' ')];
          }),
        ),
      }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(body !== undefined && { body: body.mediaType ?? 'application/json' }),
      ...defined({ result }),
    },
  };
}

/** Returns the address of a path, which begins with `/`, below the base URL of an API. */
export function addressOf({ baseUrl }: Pick<RestApi, 'baseUrl'>, path: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname.replace(/\/+$/, '')}${path}`;
}

/** Returns the schema of a tool's arguments. */
function inputSchemaOf({ parameters, body, $defs }: RestTool): ObjectSchema {
  const properties: [string, JsonSchema][] = parameters.map((parameter) => [
    argumentOf(parameter),
    described(parameter.schema, parameter.description),
  ]);
  if (body !== undefined) properties.push([BODY, described(body.schema, body.description)]);
  const required = parameters.filter(isRequired).map(argumentOf);
  if (body?.required === true) required.push(BODY);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...defined({ $defs }),
  };
}

function described(schema: JsonSchema, description: string | undefined): JsonSchema {
  const keywords = keywordsOf(schema);
  if (description === undefined || keywords?.description !== undefined || schema === false) return schema;
  return { description, ...keywords };
}
