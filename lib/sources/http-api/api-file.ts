import { excessOf } from '#lib/base/json-size.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { parseYamlFile, YamlFileError } from '#lib/base/yaml/yaml-file.ts';
import { type RestApi, restApiSchema } from './api.ts';
import { definitionsOf } from './definition.ts';
import { REST_LIMITS } from './limits.ts';
import { restTool } from './rest-tool.ts';

/**
 * Thrown if the studio's own YAML description of an API cannot be used. (For an OpenAPI document, it is `DocumentError`.) The
 * message has a line per fault, with the place of the fault.
 */
export class ApiFileError extends Error {
  override readonly name = 'ApiFileError';
}

/**
 * Reads the description of an API from YAML text. `file`: the name of the text in messages. Rejects with `ApiFileError`, which
 * names line and reason of everything that is invalid, including tools that could not be offered.
 */
export async function readApiFile(source: string, file: string): Promise<RestApi> {
  if (source.length > REST_LIMITS.source)
    throw new ApiFileError(`${file}: has ${source.length} characters; the limit is ${REST_LIMITS.source}.`);
  const { value: api, at } = parse(source, file);
  const { tools, refused } = await definitionsOf(api);
  const faults = refused.map(({ index, name, reason }) => `${at(['tools', index])}: ${name}: ${reason}`);
  for (const { index, definition } of tools) {
    try {
      restTool(api, definition, unused);
    } catch (error) {
      const reason = messageOf(error);
      faults.push(`${at(['tools', index])}: ${reason}`);
    }
  }
  if (faults.length > 0) throw new ApiFileError(faults.join('\n'));
  return api;
}

function parse(source: string, file: string) {
  try {
    return parseYamlFile(source, file, restApiSchema, {}, (value) => {
      const excess = excessOf(value, REST_LIMITS);
      if (excess === 'depth') return `It is nested more than ${REST_LIMITS.depth} levels deep.`;
      return excess === 'values' ? `It has more than ${REST_LIMITS.values} values.` : undefined;
    });
  } catch (error) {
    throw error instanceof YamlFileError ? new ApiFileError(error.message) : error;
  }
}

const unused = () => Promise.reject(new Error('This tool is not for use.'));
