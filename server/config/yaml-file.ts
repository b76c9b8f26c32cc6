import { type Document, LineCounter, parseDocument } from 'yaml';
import type * as z from 'zod';
import { toDotPath } from 'zod/v4/core';
import { ConfigError } from './errors.ts';

/** A YAML file that fits a schema, and where its fields are. */
export interface YamlFile<T> {
  value: T;
  document: Document.Parsed;
  /** The file and line of a field, such as `models.yaml:7`. */
  at(path: readonly PropertyKey[]): string;
}

/**
 * Parses YAML. An empty file has the value `empty`. Throws `ConfigError` with file, line, field and reason for everything
 * that is invalid.
 */
export function parseYamlFile<T>(source: string, file: string, schema: z.ZodType<T>, empty: unknown): YamlFile<T> {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  const lineAt = (offset: number | undefined): string => `${file}:${lines.linePos(offset ?? 0).line}`;
  const at = (path: readonly PropertyKey[]): string => lineAt(offsetOf(document, path));
  if (document.errors.length > 0)
    throw new ConfigError(
      document.errors.map((error) => `${lineAt(error.pos[0])}: ${withoutPlace(error.message)}`).join('\n'),
    );
  const parsed = schema.safeParse(document.toJS() ?? empty);
  if (parsed.success) return { value: parsed.data, document, at };
  const faults = parsed.error.issues.map((issue) => {
    const field = toDotPath(issue.path);
    const place = issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
    return `${at(place)}: ${field ? `${field}: ` : ''}${issue.message}`;
  });
  throw new ConfigError(faults.join('\n'));
}

/** The first line of a message of the parser, without the place, which stands in front of it. */
const withoutPlace = (message: string): string =>
  (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');

/** The offset of the node at `path`, or of its nearest ancestor, since a missing field has no position. */
function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number | undefined {
  for (let length = path.length; length >= 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (node !== null && typeof node === 'object' && 'range' in node && Array.isArray(node.range)) return node.range[0];
  }
  return undefined;
}
