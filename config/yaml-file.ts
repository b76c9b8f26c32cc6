import type * as z from 'zod';
import { parseYamlFile as parse, type YamlFile, YamlFileError } from '#lib/base/yaml/yaml-file.ts';
import { ConfigError } from './errors.ts';

/** Does the same as `parseYamlFile` in lib/base/yaml, but throws `ConfigError` for everything that is invalid. */
export function parseYamlFile<T>(source: string, file: string, schema: z.ZodType<T>, empty: unknown): YamlFile<T> {
  try {
    return parse(source, file, schema, empty);
  } catch (error) {
    throw error instanceof YamlFileError ? new ConfigError(error.message) : error;
  }
}
