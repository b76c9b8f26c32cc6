import * as z from 'zod';
import { headerProblem } from '#lib/sources/mcp/server-config.ts';
import { type JsonSchema, keywordsOf } from '#lib/tools/schema/json-schema.ts';
import { REST_LIMITS } from './limits.ts';

/** The methods of requests. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Where a parameter goes. */
export const PLACES = ['path', 'query', 'header', 'body'] as const;

/**
 * The styles of lists and objects where only text fits: a list as `a=1&a=2`, `a=1,2`, `a=1 2` or `a=1|2`, an object
 * as `a[b]=1`, and both as JSON.
 */
export const STYLES = ['repeat', 'comma', 'space', 'pipe', 'brackets', 'json'] as const;

/** The style of a list or an object; see `STYLES`. */
export type ParameterStyle = (typeof STYLES)[number];

/** The allowed names of arguments: none that providers refuse, or that every object has by itself. */
export const ARGUMENT = /^(?!__proto__$)[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
const MEDIA_TYPE = /^application\/([\w.+-]+\+)?json$/i;

/** A short text. */
export const textSchema = z.string().min(1).max(REST_LIMITS.text);
const description = z.string().max(REST_LIMITS.description);

const jsonSchema = z.custom<JsonSchema>(
  (value) => typeof value === 'boolean' || keywordsOf(value) !== undefined,
  'must be a JSON Schema, such as { type: integer }',
);

const parameterSchema = z.strictObject({
  /** The API's name for it. */
  name: textSchema,
  in: z.enum(PLACES),
  /** The model's name for it; by default, the API's name. */
  argument: z
    .string()
    .regex(ARGUMENT, 'must begin with a letter or _, and have only letters, digits, and the signs _ . and -')
    .optional(),
  description: description.optional(),
  /** Those of a path always are. */
  required: z.boolean().optional(),
  schema: jsonSchema.default({ type: 'string' }),
  style: z.enum(STYLES).optional(),
});

/** Headers by their names. Secrets are named in them, such as `Bearer {{token}}`. */
export const headersSchema = z
  .record(z.string(), z.string().max(REST_LIMITS.text))
  .refine(
    (headers) => Object.keys(headers).length <= REST_LIMITS.headers,
    `has more than ${REST_LIMITS.headers} headers`,
  );

/** A tool of an API: a request with the arguments of a call in it. */
export const restToolSchema = z.strictObject({
  name: z.string().regex(TOOL_NAME, 'must have 1 to 64 of the letters A to Z, digits, and the signs _ . and -'),
  title: textSchema.max(200).optional(),
  description: description.min(1, 'must say what the tool does'),
  method: z.enum(METHODS),
  /** Below the base URL; parameters are named in it, such as `/issues/{id}`. */
  path: textSchema
    .regex(/^\//, 'must begin with /; it is added to baseUrl')
    .regex(/^[\w\-.~!$&'()*+,;=:@%/?#\\{} ]*$/, 'must be written as in an address: other characters as %…'),
  parameters: z.array(parameterSchema).max(REST_LIMITS.parameters).default([]),
  /** The whole body, as one argument named `body`. */
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
  /** Schemas that the others refer to, as `#/$defs/…`. */
  $defs: z.record(z.string(), jsonSchema).optional(),
  headers: headersSchema.default({}),
  /** The part of a JSON response that is the result, such as `data.items` or `/data/items`. */
  result: textSchema.optional(),
});

/** A tool of an API. */
export type RestTool = z.output<typeof restToolSchema>;

/** A parameter of a tool. */
export type RestParameter = RestTool['parameters'][number];

/** The name of the argument that is the whole body. */
export const BODY = 'body';

/** Returns the model's name for a parameter. */
export const argumentOf = ({ argument, name }: Pick<RestParameter, 'argument' | 'name'>): string => argument ?? name;

/** Checks whether a call needs a parameter. */
export const isRequired = ({ in: place, required }: Pick<RestParameter, 'in' | 'required'>): boolean =>
  place === 'path' || required === true;

/** Checks whether requests with this method change nothing. */
export const isReading = ({ method }: Pick<RestTool, 'method'>): boolean => method === 'GET' || method === 'HEAD';

/** Headers that people may set, although the connection has a value of its own for them. */
const OWN_CHOICE = /^accept$/i;

/** Finds the problem with a header that a description names; undefined if there is none. */
export const restHeaderProblem = (name: string, value: string): ReturnType<typeof headerProblem> => {
  const problem = headerProblem(name, value);
  return problem === 'own' && OWN_CHOICE.test(name) ? headerProblem('x-accept', value) : problem;
};
