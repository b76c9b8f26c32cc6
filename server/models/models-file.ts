import { existsSync, readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import * as z from 'zod';
import { toDotPath } from 'zod/v4/core';
import { ConfigError } from '#server/config/errors.ts';
import { type ResolvedModelConfig, resolveModelConfig, modelConfigSchema as unlistedSchema } from './config.ts';
import { PROVIDERS } from './providers/providers.ts';

/** A model as it is listed in the file: its provider is one that the studio knows. */
export const modelConfigSchema = unlistedSchema.extend({ provider: z.enum(PROVIDERS.map(({ id }) => id)) });

const modelsFileSchema = z.strictObject({ models: z.array(modelConfigSchema) });

/**
 * The models listed in a `models.yaml`; none if the file does not exist.
 * Throws `ConfigError` with file, line, field and reason for everything that is invalid.
 */
export function readModelsFile(path: string): ResolvedModelConfig[] {
  if (!existsSync(path)) return [];
  return parseModelsFile(readFileSync(path, 'utf8'), path);
}

export function parseModelsFile(source: string, path: string): ResolvedModelConfig[] {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  const lineAt = (offset: number | undefined): string => `${path}:${lines.linePos(offset ?? 0).line}`;
  if (document.errors.length > 0) {
    throw new ConfigError(
      document.errors.map((error) => `${lineAt(error.pos[0])}: ${error.message.split('\n')[0]}`).join('\n'),
    );
  }
  const parsed = modelsFileSchema.safeParse(document.toJS() ?? { models: [] });
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => {
      const field = toDotPath(issue.path);
      const place = issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
      return `${lineAt(offsetOf(document, place))}: ${field ? `${field}: ` : ''}${issue.message}`;
    });
    throw new ConfigError(faults.join('\n'));
  }
  const models = parsed.data.models.map((config) => ({ ...resolveModelConfig(config), isFromFile: true as const }));
  const seen = new Set<string>();
  models.forEach(({ id }, index) => {
    if (seen.has(id)) {
      const line = lineAt(offsetOf(document, ['models', index]));
      throw new ConfigError(`${line}: models[${index}].id: "${id}" is listed twice; give one of them another id`);
    }
    seen.add(id);
  });
  return models;
}

/** The offset of the node at `path`, or of its nearest ancestor, since a missing field has no position. */
function offsetOf(document: ReturnType<typeof parseDocument>, path: readonly PropertyKey[]): number | undefined {
  for (let length = path.length; length >= 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (node !== null && typeof node === 'object' && 'range' in node && Array.isArray(node.range)) return node.range[0];
  }
  return undefined;
}
