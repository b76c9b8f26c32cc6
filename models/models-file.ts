import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { ConfigError } from '#config/errors.ts';
import { parseYamlFile } from '#config/yaml-file.ts';
import { type ResolvedModelConfig, resolveModelConfig, modelConfigSchema as unlistedSchema } from './config.ts';
import { PROVIDERS } from './providers/providers.ts';

/** A model as it is listed in `models.yaml`: its provider must be one that the studio knows. */
export const listedModelSchema = unlistedSchema.extend({ provider: z.enum(PROVIDERS.map(({ id }) => id)) });

const modelsFileSchema = z.strictObject({ models: z.array(listedModelSchema) });

/**
 * Reads the models listed in a `models.yaml`; none if the file does not exist. Throws `ConfigError` with file, line, field
 * and reason for everything that is invalid.
 */
export function readModelsFile(path: string): ResolvedModelConfig[] {
  if (!existsSync(path)) return [];
  return parseModelsFile(readFileSync(path, 'utf8'), path);
}

export function parseModelsFile(source: string, path: string): ResolvedModelConfig[] {
  const { value, at } = parseYamlFile(source, path, modelsFileSchema, { models: [] });
  const models = value.models.map((config) => ({ ...resolveModelConfig(config), isFromFile: true as const }));
  const seen = new Set<string>();
  models.forEach(({ id }, index) => {
    if (seen.has(id)) {
      throw new ConfigError(
        `${at(['models', index])}: models[${index}].id: "${id}" is listed twice; give one of them another id`,
      );
    }
    seen.add(id);
  });
  return models;
}
