import { UriTemplate } from '@modelcontextprotocol/client';

/** Matches the name of a variable (RFC 6570, 2.3), without modifiers, which the protocol's client does not support. */
const NAME = /^[A-Za-z0-9_%]+(\.[A-Za-z0-9_%]+)*$/;

/** Matches an expression with several variables, except in a query: the client would not encode them. */
const SEVERAL = /\{[^?&}][^}]*,/;

/** Matches an expression of a template. Group 1 is `?` or `&` if it belongs to the query. */
const EXPRESSION = /\{([?&]?)([^}]*)\}/g;

/**
 * Returns the variables in a template for a resource's address (RFC 6570), each once and in their order. Those that are only in
 * the query are not required. Undefined if the template has no variables, or a form that cannot be filled in here.
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

/**
 * Returns the address that a template for resources' addresses gives with these values. Variables without a value are left
 * out.
 */
export const addressOf = (uriTemplate: string, values: Readonly<Record<string, string>>): string =>
  new UriTemplate(uriTemplate).expand({ ...values });
