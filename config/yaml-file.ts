import type * as z from 'zod';
import { parseYamlFile as parse, type YamlFile, YamlFileError } from '#lib/base/yaml/yaml-file.ts';
import { ConfigError } from './errors.ts';

/**
 * Parses YAML, and checks it against a schema. Returns the value, and a function that finds the line of a field. An empty file
 * has the value `empty`. `file`: its name in errors. Throws `ConfigError` with file, line, field and reason for everything that
 * is invalid.
 */
export function parseYamlFile<T>(source: string, file: string, schema: z.ZodType<T>, empty: unknown): YamlFile<T> {
  try {
    return parse(source, file, schema, empty);
  } catch (error) {
    throw error instanceof YamlFileError ? new ConfigError(error.message) : error;
  }
}
