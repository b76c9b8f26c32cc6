import { UriTemplate } from '@modelcontextprotocol/client';

/** The name of a variable (RFC 6570, 2.3), without modifiers, which the client does not know. */
const NAME = /^[A-Za-z0-9_%]+(\.[A-Za-z0-9_%]+)*$/;

/** Several variables in one expression, except in a query: the client would not encode them. */
const SEVERAL = /\{[^?&}][^}]*,/;

/** An expression of a template, and whether it belongs to the query. */
const EXPRESSION = /\{([?&]?)([^}]*)\}/g;

/**
 * The variables of a resource's address that is to be filled in (RFC 6570), each once and in their order; undefined if it
 * has a form that cannot be filled in here. Those of a query need no value.
 */
export function variablesOf(uriTemplate: string): { name: string; isRequired: boolean }[] | undefined {
  if (SEVERAL.test(uriTemplate)) return undefined;
  try {
    const names = [...new Set(new UriTemplate(uriTemplate).variableNames)];
    if (names.length === 0 || !names.every((name) => NAME.test(name))) return undefined;
    const required = [...uriTemplate.matchAll(EXPRESSION)].filter(([, sign]) => sign === '').map(([, , text]) => text);
    return names.map((name) => ({ name, isRequired: required.some((text) => namesIn(text).includes(name)) }));
  } catch {
    return undefined;
  }
}

const namesIn = (expression = ''): string[] => expression.split(/[^A-Za-z0-9_%.]+/);

/** The address that a template gives with these values. What has none is left out. */
export const addressOf = (uriTemplate: string, values: Readonly<Record<string, string>>): string =>
  new UriTemplate(uriTemplate).expand({ ...values });
