import { type Document, LineCounter, parseDocument, stringify } from 'yaml';
import type * as z from 'zod';
import { toDotPath } from 'zod/v4/core';
import { complexKeyIn } from './complex-key.ts';

/** Thrown for a YAML file that cannot be used. The message has a line per fault, with its place. */
export class YamlFileError extends Error {
  override readonly name = 'YamlFileError';
}

/** A YAML file that fits a schema, and where its fields are. */
export interface YamlFile<T> {
  value: T;
  document: Document.Parsed;
  /** Returns the file and line of a field, such as `models.yaml:7`; for a missing field, those of the nearest one around it. */
  at(path: readonly PropertyKey[]): string;
}

/**
 * Parses YAML, and checks it against a schema. `file`: its name, for messages. `empty`: the value that an empty file has.
 * `refuse`: returns a reason to refuse the value before the schema is tried, such as its size; undefined if there is none.
 * Throws `YamlFileError` with file, line, field and reason for everything that is invalid.
 */
export function parseYamlFile<T>(
  source: string,
  file: string,
  schema: z.ZodType<T>,
  empty: unknown,
  refuse?: (value: unknown) => string | undefined,
): YamlFile<T> {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  const lineAt = (offset: number | undefined): string => `${file}:${lines.linePos(offset ?? 0).line}`;
  const at = (path: readonly PropertyKey[]): string => lineAt(offsetOf(document, path));
  if (document.errors.length > 0)
    throw new YamlFileError(
      document.errors.map((error) => `${lineAt(error.pos[0])}: ${withoutPlace(error.message)}`).join('\n'),
    );
  const complex = complexKeyIn(document);
  if (complex !== undefined)
    throw new YamlFileError(`${lineAt(complex)}: a key must be a text, not a list or a mapping`);
  const plain = plainOf(document, file) ?? empty;
  const refusal = refuse?.(plain);
  if (refusal !== undefined) throw new YamlFileError(`${file}:1: ${refusal}`);
  const parsed = schema.safeParse(plain);
  if (parsed.success) return { value: parsed.data, document, at };
  const faults = parsed.error.issues.map((issue) => {
    const field = toDotPath(issue.path);
    const place = issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
    return `${at(place)}: ${field ? `${field}: ` : ''}${issue.message}`;
  });
  throw new YamlFileError(faults.join('\n'));
}

/** The document as plain data. Throws `YamlFileError` if its aliases cannot be resolved, or would multiply without end. */
function plainOf(document: Document.Parsed, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new YamlFileError(`${file}:1: its anchors and aliases cannot be resolved: ${reason}`);
  }
}

/** The first line of the parser's message, without line and column, which the message of `YamlFileError` says first. */
const withoutPlace = (message: string): string =>
  message.startsWith('Maximum call stack')
    ? 'is nested too deeply'
    : (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');

/** The offset of the node at `path`, or of its nearest ancestor, since a missing field has no position. */
function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number | undefined {
  for (let length = path.length; length >= 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (node !== null && typeof node === 'object' && 'range' in node && Array.isArray(node.range)) return node.range[0];
  }
  return undefined;
}

/** Plain data as YAML, without aliases, and with long texts in one line each. */
export const yamlText = (value: unknown): string => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
