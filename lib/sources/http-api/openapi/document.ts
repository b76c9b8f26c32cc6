import * as z from 'zod';
import { excessOf } from '#lib/base/json-size.ts';
import { parseYamlFile, YamlFileError } from '#lib/base/yaml/yaml-file.ts';
import { keywordsOf, referencedSchema } from '#lib/tools/schema/json-schema.ts';
import { REST_LIMITS } from '../limits.ts';
import { DocumentError } from './document-error.ts';

/** An object in an OpenAPI document, whose fields may be anything. */
export type Node = { readonly [key: string]: unknown };

/** Returns a list as it is, and an empty list for anything else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns a text, trimmed; undefined for a blank one, and for anything else. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/**
 * Reads an OpenAPI 3 document in JSON or YAML, and returns its root. Throws `DocumentError` for anything else, and for a
 * document that is too large, is nested too deeply, or has no paths.
 */
export function readDocument(source: string): Node {
  if (source.length > REST_LIMITS.document)
    throw new DocumentError(
      `The document has ${source.length} characters; the limit is ${REST_LIMITS.document}. Leave operations out that you don’t need.`,
    );
  const root = keywordsOf(parse(source));
  if (root === undefined) throw new DocumentError('This is no OpenAPI document.');
  const excess = excessOf(root, { depth: REST_LIMITS.documentDepth, values: REST_LIMITS.documentValues });
  if (excess === 'depth')
    throw new DocumentError(`The document is nested more than ${REST_LIMITS.documentDepth} levels deep.`);
  if (excess === 'values') throw new DocumentError(`The document has more than ${REST_LIMITS.documentValues} values.`);
  if (typeof root.swagger === 'string')
    throw new DocumentError(
      `This is a Swagger ${root.swagger.slice(0, 20)} document. Convert it to OpenAPI 3, for example with swagger2openapi.`,
    );
  if (!/^3\.\d/.test(String(root.openapi ?? '')))
    throw new DocumentError('This is no OpenAPI 3 document: its field “openapi” is missing, or is not 3.0 or 3.1.');
  if (keywordsOf(root.paths) === undefined)
    throw new DocumentError('The document has no paths, so there are no operations.');
  return root;
}

function parse(source: string): unknown {
  const text = source.replace(/^\uFEFF/, '');
  try {
    if (!/^\s*\{/.test(text)) return parseYamlFile(text, 'line', z.unknown(), {}).value;
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof YamlFileError) && !(error instanceof SyntaxError)) throw error;
    const [reason] = error.message.split('\n');
    throw new DocumentError(`The document can’t be read. ${reason?.replace(/^line:/, 'Line ')}`);
  }
}

/**
 * Follows the references (`$ref`) of a node. Returns the node at their end, or the node itself if it is no reference, and as
 * `reference` the last one that was followed; undefined if there was none. Throws `DocumentError` for a reference that leads
 * out of the document, nowhere, back to itself, or on through too many others.
 */
export function resolved(root: Node, node: unknown): { node: unknown; reference: string | undefined } {
  let at = node;
  let reference: string | undefined;
  const seen = new Set<string>();
  for (;;) {
    const next = keywordsOf(at)?.$ref;
    if (typeof next !== 'string') return { node: at, reference };
    const shown = next.slice(0, 200);
    if (!next.startsWith('#'))
      throw new DocumentError(`The reference “${shown}” leads to another document. Bundle them into one first.`);
    if (seen.has(next)) throw new DocumentError(`The reference “${shown}” leads back to itself.`);
    if (seen.size >= REST_LIMITS.references)
      throw new DocumentError(
        `More than ${REST_LIMITS.references} references lead to each other, the last one to “${shown}”.`,
      );
    seen.add(next);
    at = referencedSchema(decoded(next), root);
    if (at === undefined || !next.startsWith('#/')) throw new DocumentError(`The reference “${shown}” leads nowhere.`);
    reference = next;
  }
}

function decoded(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    // A percent sign that encodes nothing belongs to the name.
    return reference;
  }
}

/**
 * Returns the object that a node is, or that its reference leads to; undefined if there is no object there. Throws
 * `DocumentError` for a reference that cannot be followed.
 */
export const objectAt = (root: Node, node: unknown): Node | undefined => keywordsOf(resolved(root, node).node);
