import type { RefusedTool } from '#lib/tools/catalogue/external-definition.ts';
import { MCP_LIMITS } from './limits.ts';
import type { ListEntry } from './list-sieve.ts';
import { variablesOf } from './uri-template.ts';

/** An argument of a prompt, or a variable in a resource's address. */
export interface McpArgument {
  name: string;
  description: string;
  isRequired: boolean;
}

/** A server's prompt. Plain data; all texts are the server's. */
export interface McpPrompt {
  name: string;
  title?: string;
  description: string;
  arguments: readonly McpArgument[];
}

/** A server's resource. Plain data; all texts are the server's. */
export interface McpResource {
  uri: string;
  name: string;
  title?: string;
  description: string;
  mediaType?: string;
}

/** A server's template for resources, whose address has variables. Plain data; all texts are the server's. */
export interface McpTemplate {
  uriTemplate: string;
  name: string;
  title?: string;
  description: string;
  arguments: readonly McpArgument[];
}

/**
 * Converts the prompts that a server lists to the studio's form. Those that cannot be offered are in `refused`, with the
 * reason.
 */
export function readPrompts(listed: readonly ListEntry<'prompts'>[]): { offered: McpPrompt[]; refused: RefusedTool[] } {
  return offer(listed, MCP_LIMITS.prompts, {
    keyOf: ({ name }) => name,
    problemOf: ({ name, arguments: all = [] }) =>
      longName(name) ??
      (all.length > MCP_LIMITS.promptArguments
        ? `It has more than ${MCP_LIMITS.promptArguments} arguments.`
        : new Set(all.map((one) => one.name)).size < all.length
          ? 'Two of its arguments have the same name.'
          : all.map((one) => longName(one.name)).find((problem) => problem !== undefined)),
    take: ({ name, title, description, arguments: all = [] }) => ({
      ...described({ name, title, description }),
      arguments: all.map((one) => ({
        name: one.name,
        description: (one.description ?? '').slice(0, MCP_LIMITS.formText),
        isRequired: one.required === true,
      })),
    }),
  });
}

/**
 * Converts the resources that a server lists to the studio's form. Those that cannot be offered are in `refused`, with the
 * reason.
 */
export function readResources(listed: readonly ListEntry<'resources'>[]): {
  offered: McpResource[];
  refused: RefusedTool[];
} {
  return offer(listed, MCP_LIMITS.resources, {
    keyOf: ({ uri }) => uri,
    problemOf: ({ uri }) =>
      uri.length > MCP_LIMITS.uri ? `Its address has more than ${MCP_LIMITS.uri} characters.` : undefined,
    take: ({ uri, name, title, description, mimeType }) => ({
      uri,
      ...described({ name, title, description }),
      ...(mimeType !== undefined && mimeType.length <= MCP_LIMITS.name && { mediaType: mimeType }),
    }),
  });
}

/**
 * Converts the resource templates that a server lists to the studio's form, with the variables of their addresses as
 * `arguments`. Those that cannot be offered are in `refused`, with the reason.
 */
export function readTemplates(listed: readonly ListEntry<'resourceTemplates'>[]): {
  offered: McpTemplate[];
  refused: RefusedTool[];
} {
  return offer(listed, MCP_LIMITS.templates, {
    keyOf: ({ uriTemplate }) => uriTemplate,
    problemOf: ({ uriTemplate }) => {
      if (uriTemplate.length > MCP_LIMITS.uri) return `Its address has more than ${MCP_LIMITS.uri} characters.`;
      const variables = variablesOf(uriTemplate);
      if (variables === undefined) return 'Its address cannot be filled in here.';
      return variables.length > MCP_LIMITS.promptArguments
        ? `It has more than ${MCP_LIMITS.promptArguments} arguments.`
        : variables.map((one) => longName(one.name)).find((problem) => problem !== undefined);
    },
    take: ({ uriTemplate, name, title, description }) => ({
      uriTemplate,
      ...described({ name, title, description }),
      arguments: (variablesOf(uriTemplate) ?? []).map((one) => ({ ...one, description: '' })),
    }),
  });
}

interface Offering<Listed, Offered> {
  /** Returns the key of an entry, which may occur only once. */
  keyOf(listed: Listed): string;
  problemOf(listed: Listed): string | undefined;
  take(listed: Listed): Offered;
}

function offer<Listed extends { name: string }, Offered>(
  listed: readonly Listed[],
  max: number,
  { keyOf, problemOf, take }: Offering<Listed, Offered>,
): { offered: Offered[]; refused: RefusedTool[] } {
  const offered: Offered[] = [];
  const refused: RefusedTool[] = [];
  const keys = new Set<string>();
  let length = 0;
  for (const entry of listed) {
    const key = keyOf(entry);
    let reason = keys.has(key)
      ? 'The server lists it twice.'
      : offered.length >= max
        ? `Only the first ${max} are offered.`
        : problemOf(entry);
    keys.add(key);
    if (reason === undefined) {
      const taken = take(entry);
      length += JSON.stringify(taken).length;
      if (length <= MCP_LIMITS.listing) offered.push(taken);
      else reason = `Together, they have more than ${MCP_LIMITS.listing} characters.`;
    }
    if (reason !== undefined && refused.length < MCP_LIMITS.tools)
      refused.push({ name: entry.name.slice(0, MCP_LIMITS.name), reason });
  }
  return { offered, refused };
}

const longName = (name: string): string | undefined =>
  name === '' || name.length > MCP_LIMITS.name
    ? `A name in it is empty, or has more than ${MCP_LIMITS.name} characters.`
    : undefined;

function described({
  name,
  title,
  description = '',
}: {
  name: string;
  title: string | undefined;
  description: string | undefined;
}): { name: string; title?: string; description: string } {
  return {
    name: name.slice(0, MCP_LIMITS.name),
    ...(title !== undefined && title.trim() !== '' && { title: title.slice(0, MCP_LIMITS.name) }),
    description: description.slice(0, MCP_LIMITS.formText),
  };
}
