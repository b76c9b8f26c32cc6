import { keywordsOf } from '#lib/tools/schema/json-schema.ts';
import { ARGUMENT, argumentOf, BODY, isReading, type RestTool, restHeaderProblem } from './api-tool.ts';
import { placeholdersIn, withoutSecrets } from './template.ts';

/** The parts of an API's description that are checked here. */
interface CheckedApi {
  baseUrl: string;
  headers: Readonly<Record<string, string>>;
  tools: readonly RestTool[];
}

/** A fault that the schema of a description cannot find. `path`: its place in the description. */
interface ApiFault {
  path: (string | number)[];
  message: string;
}

/**
 * Yields the faults in an HTTP API's description that the types of its fields do not exclude, each with its place. Examples: a
 * secret that is written out instead of as `{{name}}`, two tools or two arguments with the same name, a header that the studio
 * sets itself, and a path whose placeholders are not its parameters. `restApiSchema` reports them with its own.
 */
export function* faultsOf(api: CheckedApi): Generator<ApiFault> {
  if (api.baseUrl.includes('{')) yield { path: ['baseUrl'], message: NO_SECRETS };
  yield* headerFaults(api.headers, ['headers']);
  const names = new Set<string>();
  for (const [index, tool] of api.tools.entries()) {
    const at = ['tools', index];
    if (names.has(tool.name))
      yield { path: [...at, 'name'], message: `“${tool.name}” is used twice; give one of the tools another name` };
    names.add(tool.name);
    yield* pathFaults(tool, at);
    yield* parameterFaults(tool, api, at);
    yield* headerFaults(tool.headers, [...at, 'headers']);
    yield* bodyFaults(tool, at);
    yield* schemaFaults(tool, at);
  }
}

const NO_SECRETS = 'must not contain { or }; secrets belong into headers, such as “Authorization: Bearer {{token}}”';

const PLAIN_SECRET =
  'looks like a secret, and descriptions are stored as they are; write a name in its place, such as {{token}}, and enter the value separately';

/**
 * Matches names of headers whose values count as secrets if they have at least `SECRET_MIN` characters; the value of
 * `Authorization` always does.
 */
const SECRET_HEADER = /authorization|api-?key|token|secret|password/i;
const SECRET_MIN = 12;

/** Checks whether a header's value is probably a secret. */
const isSecret = (name: string, value: string): boolean =>
  /^(proxy-)?authorization$/i.test(name) || (SECRET_HEADER.test(name) && value.length >= SECRET_MIN);

type At = readonly (string | number)[];

function* pathFaults({ path, parameters }: RestTool, at: At): Generator<ApiFault> {
  const fault = (message: string): ApiFault => ({ path: [...at, 'path'], message });
  const [way = '', query = ''] = path.split('?');
  const placed = placeholdersIn(way);
  if (path.includes('{{')) return yield fault(NO_SECRETS);
  if (/[#\\ ]/.test(path) || path.split('?').length > 2)
    yield fault('must not contain #, \\, spaces, or more than one ?');
  if (way.startsWith('//')) yield fault('must not begin with //');
  if (/(^|\/)(\.|%2e){1,2}(?=\/|$)/i.test(way)) yield fault('must not contain the segments . and ..');
  if (query.includes('{')) yield fault('must not have parameters after the ?; list them with “in: query”');
  if (/[{}]/.test(way.replace(/\{[^{}]+\}/g, ''))) yield fault('has a { or } that belongs to no parameter');
  const declared = new Set(parameters.flatMap(({ name, in: place }) => (place === 'path' ? [name] : [])));
  for (const name of placed)
    if (!declared.has(name)) yield fault(`names {${name}}; list it among the parameters with “in: path”`);
  for (const name of declared)
    if (!placed.includes(name)) yield fault(`does not contain {${name}}, which is listed with “in: path”`);
}

function* parameterFaults(
  { parameters, headers, body }: RestTool,
  api: Pick<CheckedApi, 'headers'>,
  at: At,
): Generator<ApiFault> {
  const taken = new Set([...Object.keys(api.headers), ...Object.keys(headers)].map((name) => name.toLowerCase()));
  const known = new Set<string>(body === undefined ? [] : [BODY]);
  for (const [index, parameter] of parameters.entries()) {
    const path = [...at, 'parameters', index];
    const argument = argumentOf(parameter);
    if (parameter.argument === undefined && !ARGUMENT.test(argument))
      yield { path: [...path, 'name'], message: `“${argument}” cannot be the name of an argument; add “argument: …”` };
    if (known.has(argument))
      yield { path: [...path, 'name'], message: `“${argument}” is used twice; add “argument: …” with another name` };
    known.add(argument);
    if (parameter.in === 'path' && parameter.required === false)
      yield { path: [...path, 'required'], message: 'a parameter of the path is always required' };
    if (parameter.in !== 'header') continue;
    const problem = restHeaderProblem(parameter.name, '');
    if (problem !== undefined || taken.has(parameter.name.toLowerCase()))
      yield { path: [...path, 'name'], message: `the header ${parameter.name} cannot be set by a call` };
  }
}

function* bodyFaults({ method, body, parameters }: RestTool, at: At): Generator<ApiFault> {
  const inBody = parameters.findIndex(({ in: place }) => place === 'body');
  if (body !== undefined && inBody >= 0)
    yield {
      path: [...at, 'parameters', inBody],
      message: 'has “in: body”, but the tool also has a “body”; use one of them',
    };
  if ((body !== undefined || inBody >= 0) && isReading({ method }))
    yield { path: [...at, 'method'], message: `${method} requests have no body` };
}

/** Finds schemas in `$defs` that consist only of references to each other, in a circle. */
function* schemaFaults({ $defs = {} }: RestTool, at: At): Generator<ApiFault> {
  const next = (name: string): string | undefined => {
    const reference = Object.hasOwn($defs, name) ? keywordsOf($defs[name])?.$ref : undefined;
    return typeof reference === 'string' ? /^#\/\$defs\/(.+)$/.exec(reference)?.[1] : undefined;
  };
  for (const first of Object.keys($defs)) {
    const seen = new Set<string>();
    for (let name: string | undefined = first; name !== undefined && !seen.has(name); name = next(name)) {
      seen.add(name);
      if (next(name) === first)
        yield { path: [...at, '$defs', first], message: 'refers to itself, and to nothing else' };
    }
  }
}

function* headerFaults(headers: Readonly<Record<string, string>>, at: At): Generator<ApiFault> {
  const known = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    const path = [...at, name];
    const rest = withoutSecrets(value);
    const problem = restHeaderProblem(name, rest);
    if (problem === 'name') yield { path, message: `“${name}” is not the name of a header` };
    if (problem === 'own') yield { path, message: `the studio sets the header ${name} itself; remove it` };
    if (problem === 'value') yield { path, message: 'has characters that a header cannot contain' };
    if (rest === value && isSecret(name, value)) yield { path, message: PLAIN_SECRET };
    if (/\{\{|\}\}/.test(rest))
      yield { path, message: 'has a {{…}} that names no secret; use letters, digits, and _, such as {{token}}' };
    if (known.has(name.toLowerCase())) yield { path, message: `the header ${name} is set twice` };
    known.add(name.toLowerCase());
  }
}
