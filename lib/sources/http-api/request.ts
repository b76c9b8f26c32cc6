import { defined } from '#lib/base/defined.ts';
import type { RestApi } from './api.ts';
import {
  argumentOf,
  BODY,
  isRequired,
  type ParameterStyle,
  type RestParameter,
  type RestTool,
  restHeaderProblem,
} from './api-tool.ts';
import { addressOf } from './definition.ts';
import { REST_LIMITS } from './limits.ts';
import { filledIn, withParameters } from './template.ts';

/** A request to an API. Its headers have the secrets filled in. */
export interface RestRequest {
  url: string;
  method: RestTool['method'];
  headers: Record<string, string>;
  body?: string;
}

/** Thrown if no request can be made of a call's arguments. Nothing was sent. The message is for the model. */
export class RequestFault extends Error {
  override readonly name = 'RequestFault';
}

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Makes the request of a call. An argument gets only to where the description of the tool puts it: it can neither lead out of
 * the base URL nor change any other header. `secrets`: the values of all secrets of the API, by name. Throws `RequestFault` for
 * arguments that no request can be made of.
 */
export function requestOf(
  api: Pick<RestApi, 'baseUrl' | 'headers'>,
  tool: RestTool,
  args: Arguments,
  secrets: Readonly<Record<string, string>>,
): RestRequest {
  const body = bodyOf(tool, args);
  const headers = new Map<string, [name: string, value: string]>([
    ['accept', ['accept', 'application/json, */*;q=0.5']],
  ]);
  for (const [name, template] of [...Object.entries(api.headers), ...Object.entries(tool.headers)])
    headers.set(name.toLowerCase(), [name, headerValue(name, filledIn(template, secrets))]);
  for (const [parameter, value] of givenTo('header', tool, args)) {
    const { name } = parameter;
    if (headers.has(name.toLowerCase())) throw new RequestFault(`The header ${name} cannot be set by a call.`);
    headers.set(name.toLowerCase(), [name, headerValue(name, joined(parameter, value))]);
  }
  if (body !== undefined) headers.set('content-type', ['content-type', tool.body?.mediaType ?? 'application/json']);
  return {
    url: urlOf(api, tool, args),
    method: tool.method,
    headers: Object.fromEntries(headers.values()),
    ...defined({ body }),
  };
}

/**
 * Returns the parameters that go to one part of the request, each with its argument. A parameter for which the call has no
 * argument is left out; if it is required, this throws `RequestFault`.
 */
function givenTo(place: RestParameter['in'], { parameters }: RestTool, args: Arguments): [RestParameter, unknown][] {
  return parameters.flatMap((parameter): [RestParameter, unknown][] => {
    if (parameter.in !== place) return [];
    const name = argumentOf(parameter);
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    // In a body, null is a value; elsewhere, it says that there is none.
    if (value !== undefined && (value !== null || place === 'body')) return [[parameter, value]];
    if (isRequired(parameter)) throw new RequestFault(`${name}: must be given.`);
    return [];
  });
}

function urlOf(api: Pick<RestApi, 'baseUrl'>, tool: RestTool, args: Arguments): string {
  const values = new Map(
    givenTo('path', tool, args).map(([parameter, value]) => [parameter.name, { parameter, value }]),
  );
  const [way = '', fixed] = tool.path.split('?');
  const path = withParameters(way, (name) => {
    const given = values.get(name);
    if (given === undefined) throw new RequestFault(`${name}: must be given.`);
    return pathPart(argumentOf(given.parameter), joined(given.parameter, given.value));
  });
  const query = [...(fixed === undefined ? [] : [fixed]), ...queryOf(tool, args)].join('&');
  const text = `${addressOf(api, path)}${query === '' ? '' : `?${query}`}`;
  if (text.length > REST_LIMITS.url)
    throw new RequestFault(`The address would have ${text.length} characters; the limit is ${REST_LIMITS.url}.`);
  const [url, base] = [new URL(text), new URL(api.baseUrl)];
  // Nothing above lets a path out of the base URL. This is the second lock of the same door.
  const isBelow = url.pathname.startsWith(`${base.pathname.replace(/\/+$/, '')}/`) && url.pathname === plainPath(text);
  if (url.origin !== base.origin || !isBelow) throw new RequestFault('The arguments lead out of the base URL.');
  return url.href;
}

/** Returns the path of an address as it is written, before segments such as `..` are resolved. */
const plainPath = (address: string): string => /^[a-z]+:\/\/[^/]*(\/[^?]*)/i.exec(address)?.[1] ?? '';

/**
 * Encodes a value as a part of a path that cannot change the path's other parts. Throws `RequestFault` if that is impossible.
 */
function pathPart(name: string, value: string): string {
  if (value === '') throw new RequestFault(`${name}: must not be empty, because it is a part of the address.`);
  // Some servers decode a path before they resolve it.
  const read = [value, decoded(value)];
  if (read.some((text) => /(^|[/\\])\.{1,2}($|[/\\])/.test(text) || hasControl(text)))
    throw new RequestFault(`${name}: must not contain control characters, or the segments . and .. of a path.`);
  return encoded(name, value);
}

/** Checks for control characters (C0 and C1), and for the line separators of Unicode. */
const hasControl = (text: string): boolean => /[\p{Cc}\u2028\u2029]/u.test(text);

/**
 * Decodes the percent codes in a text as a server may. If one of them is not valid, only those of ASCII characters are decoded.
 */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replaceAll(/%([0-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}

function encoded(name: string, value: string): string {
  try {
    return encodeURIComponent(value).replaceAll(
      /[!'()*]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  } catch {
    throw new RequestFault(`${name}: has half of a character that consists of two.`);
  }
}

function queryOf(tool: RestTool, args: Arguments): string[] {
  return givenTo('query', tool, args).flatMap(([parameter, value]) => {
    const argument = argumentOf(parameter);
    const pair = (name: string, text: string) => `${encoded(argument, name)}=${encoded(argument, text)}`;
    const { name, style = 'repeat' } = parameter;
    if (Array.isArray(value) && style === 'repeat') return value.map((one) => pair(name, plain(one)));
    if (style === 'brackets' && typeof value === 'object' && value !== null)
      return Object.entries(value).map(([key, one]) => pair(`${name}[${Array.isArray(value) ? '' : key}]`, plain(one)));
    return [pair(name, joined(parameter, value))];
  });
}

const SEPARATORS: Readonly<Partial<Record<ParameterStyle, string>>> = { comma: ',', space: ' ', pipe: '|' };

/** Writes a value as one text, in the style of its parameter. */
function joined({ style }: RestParameter, value: unknown): string {
  return Array.isArray(value) && style !== 'json'
    ? value.map(plain).join(SEPARATORS[style ?? 'comma'] ?? ',')
    : plain(value);
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/**
 * Returns a header's value as it is. Throws `RequestFault` for a value that a header cannot have, such as one with line breaks.
 */
function headerValue(name: string, value: string): string {
  if (restHeaderProblem(name, value) !== undefined || value.trim() !== value)
    throw new RequestFault(`${name}: has characters that a header cannot contain, such as line breaks.`);
  return value;
}

function bodyOf(tool: RestTool, args: Arguments): string | undefined {
  const fields = givenTo('body', tool, args).map(([{ name }, value]): [string, unknown] => [name, value]);
  const hasFields = tool.parameters.some(({ in: place }) => place === 'body');
  const whole = tool.body !== undefined && Object.hasOwn(args, BODY) ? args[BODY] : undefined;
  if (tool.body?.required === true && whole === undefined) throw new RequestFault(`${BODY}: must be given.`);
  if (!hasFields && whole === undefined) return undefined;
  const body = JSON.stringify(hasFields ? Object.fromEntries(fields) : whole);
  if (body.length > REST_LIMITS.body)
    throw new RequestFault(`The body would have ${body.length} characters; the limit is ${REST_LIMITS.body}.`);
  return body;
}
