import { keywordsOf } from '#lib/tools/schema/json-schema.ts';
import { restHeaderProblem } from '../api-tool.ts';
import { listOf, type Node, objectAt, textOf } from './document.ts';
import { DocumentError } from './document-error.ts';

/** A header that carries a key of an API. */
export interface SecretHeader {
  name: string;
  /** The text before the key in the header's value, such as `Bearer `; empty if there is none. */
  begin: string;
}

/**
 * Finds the headers in which an API wants keys, by the security schemes of its OpenAPI document. Schemes that cannot be read,
 * or use no header, are left out.
 */
export function secretHeadersOf(root: Node): SecretHeader[] {
  const schemes = Object.values(keywordsOf(keywordsOf(root.components)?.securitySchemes) ?? {});
  const found = new Map<string, SecretHeader>();
  for (const given of schemes) {
    const header = headerOf(root, given);
    if (header !== undefined && !found.has(header.name.toLowerCase())) found.set(header.name.toLowerCase(), header);
  }
  return [...found.values()];
}

function headerOf(root: Node, given: unknown): SecretHeader | undefined {
  let scheme: Node = {};
  try {
    scheme = objectAt(root, given) ?? {};
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
  }
  const { type, in: place } = scheme;
  if (type === 'oauth2' || type === 'openIdConnect') return { name: 'Authorization', begin: 'Bearer ' };
  if (type === 'http')
    return { name: 'Authorization', begin: /^basic$/i.test(String(scheme.scheme)) ? 'Basic ' : 'Bearer ' };
  const name = type === 'apiKey' && place === 'header' ? textOf(scheme.name) : undefined;
  return name === undefined || restHeaderProblem(name, '') !== undefined ? undefined : { name, begin: '' };
}

/**
 * Returns the addresses at which an API is served, as its OpenAPI document lists them, with the default values of their
 * variables filled in. Relative addresses are left out.
 */
export function baseUrlsOf(root: Node): string[] {
  return listOf(root.servers).flatMap((given) => {
    const server = keywordsOf(given);
    const variables = keywordsOf(server?.variables) ?? {};
    const url = textOf(server?.url)?.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
      const value = Object.hasOwn(variables, name) ? keywordsOf(variables[name])?.default : undefined;
      return typeof value === 'string' ? value : whole;
    });
    return url !== undefined && /^https?:\/\//i.test(url) ? [url] : [];
  });
}
