import * as z from 'zod';
import { headerProblem } from '#lib/sources/mcp/server-config.ts';
import { type JsonSchema, keywordsOf } from '#lib/tools/schema/json-schema.ts';
import { REST_LIMITS } from './limits.ts';

/** The HTTP methods that a tool of an API can have. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The parts of a request that a parameter can go to. `body`: it becomes a field of the JSON body. */
const PLACES = ['path', 'query', 'header', 'body'] as const;

/**
 * The styles in which a list or an object is written into a path, a query, or a header: a list as `a=1&a=2` (`repeat`), `a=1,2`
 * (`comma`), `a=1 2` (`space`), or `a=1|2` (`pipe`), an object as `a[b]=1` (`brackets`), and both as JSON (`json`). By default,
 * a list has `repeat` in a query, and `comma` in a path or a header; an object is JSON.
 */
export const STYLES = ['repeat', 'comma', 'space', 'pipe', 'brackets', 'json'] as const;

/** The style of a list or an object; see `STYLES`. */
export type ParameterStyle = (typeof STYLES)[number];

/**
 * Matches the allowed names of arguments: those that model providers accept, except `__proto__`, which every object has by
 * itself.
 */
export const ARGUMENT = /^(?!__proto__$)[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
const MEDIA_TYPE = /^application\/([\w.+-]+\+)?json$/i;

/** The schema of a text of 1 to `REST_LIMITS.text` characters. */
export const textSchema = z.string().min(1).max(REST_LIMITS.text);
const description = z.string().max(REST_LIMITS.description);

const jsonSchema = z.custom<JsonSchema>(
  (value) => typeof value === 'boolean' || keywordsOf(value) !== undefined,
  'must be a JSON Schema, such as { type: integer }',
);

const parameterSchema = z.strictObject({
  /** The API's name for the parameter. */
  name: textSchema,
  in: z.enum(PLACES),
  /** The model's name for the parameter; by default, the API's name. */
  argument: z
    .string()
    .regex(ARGUMENT, 'must begin with a letter or _, and have only letters, digits, and the signs _ . and -')
    .optional(),
  description: description.optional(),
  /** Whether a call must have the parameter; false by default. A parameter of the path is always required. */
  required: z.boolean().optional(),
  schema: jsonSchema.default({ type: 'string' }),
  style: z.enum(STYLES).optional(),
});

/** The schema of headers: their values, by name. A secret is a placeholder in a value, such as `Bearer {{token}}`. */
export const headersSchema = z
  .record(z.string(), z.string().max(REST_LIMITS.text))
  .refine(
    (headers) => Object.keys(headers).length <= REST_LIMITS.headers,
    `has more than ${REST_LIMITS.headers} headers`,
  );

/** The schema of a tool of an API, as the API's description has it: a request, and where the arguments of a call go in it. */
export const restToolSchema = z.strictObject({
  name: z.string().regex(TOOL_NAME, 'must have 1 to 64 of the letters A to Z, digits, and the signs _ . and -'),
  title: textSchema.max(200).optional(),
  description: description.min(1, 'must say what the tool does'),
  method: z.enum(METHODS),
  /** The path below the base URL. Parameters are placeholders in it, such as `/issues/{id}`. */
  path: textSchema
    .regex(/^\//, 'must begin with /; it is added to baseUrl')
    .regex(/^[\w\-.~!$&'()*+,;=:@%/?#\\{} ]*$/, 'must be written as in an address: other characters as %…'),
  parameters: z.array(parameterSchema).max(REST_LIMITS.parameters).default([]),
  /** The argument named `body`, which is the whole JSON body. */
  body: z
    .strictObject({
      description: description.optional(),
      required: z.boolean().default(true),
      schema: jsonSchema.default(true),
      mediaType: z
        .string()
        .regex(MEDIA_TYPE, 'must be a type of JSON, such as application/merge-patch+json')
        .optional(),
    })
    .optional(),
  /** Schemas to which those of the parameters and the body refer, as `#/$defs/…`. */
  $defs: z.record(z.string(), jsonSchema).optional(),
  headers: headersSchema.default({}),
  /** The part of a JSON response that is the result, such as `data.items` or `/data/items`; by default, the whole response. */
  result: textSchema.optional(),
});

/** A tool of an HTTP API, with defaults filled in; see `restToolSchema`. */
export type RestTool = z.output<typeof restToolSchema>;

/** A parameter of a `RestTool`: its names, its place in the request, and its schema. */
export type RestParameter = RestTool['parameters'][number];

/** The name of the argument that becomes the whole JSON body of a request, for tools with a `body`. */
export const BODY = 'body';

/** Returns the model's name for a parameter: its `argument`, or the API's name for it if that is absent. */
export const argumentOf = ({ argument, name }: Pick<RestParameter, 'argument' | 'name'>): string => argument ?? name;

/** Checks whether each call must have an argument for a parameter: always for one of the path. */
export const isRequired = ({ in: place, required }: Pick<RestParameter, 'in' | 'required'>): boolean =>
  place === 'path' || required === true;

/** Checks whether requests with a tool's method change nothing: `GET` and `HEAD`. */
export const isReading = ({ method }: Pick<RestTool, 'method'>): boolean => method === 'GET' || method === 'HEAD';

/** Headers that a description may set, although requests have a value for them without it. */
const OWN_CHOICE = /^accept$/i;

/**
 * Finds the problem with a header in an API's description: its `name` or its `value` is not valid, or the studio sets the
 * header itself (`own`). Undefined if there is no problem. Unlike with `headerProblem`, `Accept` may be set.
 */
export const restHeaderProblem = (name: string, value: string): ReturnType<typeof headerProblem> => {
  const problem = headerProblem(name, value);
  return problem === 'own' && OWN_CHOICE.test(name) ? headerProblem('x-accept', value) : problem;
};
