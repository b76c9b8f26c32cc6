import { defined } from '#lib/base/defined.ts';
import { ARGUMENT, BODY, type ParameterStyle, type RestParameter, restHeaderProblem } from '../api-tool.ts';
import { REST_LIMITS } from '../limits.ts';
import { listOf, type Node, objectAt, textOf } from './document.ts';
import { DocumentError } from './document-error.ts';
import type { SchemaReader } from './schema.ts';

/** Headers that OpenAPI does not allow as parameters. They are left out, even if they are required. */
const NOT_PARAMETERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);

/**
 * Reads the parameters of an operation. `levels`: the path's list of parameters, and the operation's own, which replaces those
 * of the same name and place. `reader`: reads their schemas. `hasBody`: whether the operation has a body, whose argument takes
 * the name `body`. `secretHeaders`: names of headers, in lower case, that carry the API's keys; they are left out, because
 * calls do not set them. A parameter that cannot be sent is left out, too; if it is required, this throws `DocumentError`.
 */
export function parametersOf(
  root: Node,
  levels: readonly unknown[],
  { reader, hasBody, secretHeaders }: { reader: SchemaReader; hasBody: boolean; secretHeaders: ReadonlySet<string> },
): RestParameter[] {
  const byPlace = new Map<string, Node>();
  for (const given of levels.flatMap(listOf)) {
    const parameter = objectAt(root, given);
    if (parameter !== undefined) byPlace.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  const taken = new Set<string>(hasBody ? [BODY] : []);
  return [...byPlace.values()].flatMap((parameter) => {
    const read = readParameter(root, parameter, reader, secretHeaders);
    if (read === undefined) return [];
    const argument = argumentFor(read, taken);
    taken.add(argument);
    return [argument === read.name ? read : { ...read, argument }];
  });
}

function readParameter(
  root: Node,
  parameter: Node,
  reader: SchemaReader,
  secretHeaders: ReadonlySet<string>,
): RestParameter | undefined {
  const { in: place, required } = parameter;
  const name = textOf(parameter.name)?.slice(0, REST_LIMITS.text) ?? '';
  const leaveOut = (reason: string): undefined => {
    if (required === true || place === 'path') throw new DocumentError(`Its parameter “${name}” ${reason}.`);
    return undefined;
  };
  if (place === 'cookie') return leaveOut('is a cookie, which can’t be sent');
  if (place !== 'path' && place !== 'query' && place !== 'header') return leaveOut('is at a place that is unknown');
  if (place === 'header') {
    const lower = name.toLowerCase();
    if (NOT_PARAMETERS.has(lower) || secretHeaders.has(lower)) return undefined;
    if (restHeaderProblem(name, '') !== undefined) return leaveOut('is a header that can’t be set');
  }
  const content = Object.values(objectAt(root, parameter.content) ?? {})[0];
  const schema = content === undefined ? parameter.schema : objectAt(root, content)?.schema;
  const style = content === undefined ? styleOf(root, parameter) : 'json';
  if (style === 'unknown') return leaveOut('is written in a way that is not supported');
  const description = textOf(parameter.description)?.slice(0, REST_LIMITS.description);
  return {
    name,
    in: place,
    ...defined({ description }),
    ...(required === true && { required }),
    schema: schema === undefined ? { type: 'string' } : reader.read(schema),
    ...defined({ style }),
  };
}

/** Finds the style of a parameter's lists and objects; undefined if it is the default one, `unknown` if it is not supported. */
function styleOf(root: Node, { in: place, style, explode, schema }: Node): ParameterStyle | 'unknown' | undefined {
  const isObject = objectAt(root, schema)?.type === 'object';
  if (place !== 'query') return (style !== undefined && style !== 'simple') || isObject ? 'unknown' : undefined;
  if (style === 'deepObject') return 'brackets';
  if (style === 'spaceDelimited') return explode === true ? undefined : 'space';
  if (style === 'pipeDelimited') return explode === true ? undefined : 'pipe';
  if ((style !== undefined && style !== 'form') || isObject) return 'unknown';
  return explode === false ? 'comma' : undefined;
}

/** Finds the model's name for a parameter: the API's name if it is allowed and not taken, and one made from it otherwise. */
function argumentFor({ name, in: place }: RestParameter, taken: ReadonlySet<string>): string {
  const plain = ARGUMENT.test(name)
    ? name
    : `${/^[A-Za-z]/.test(name) ? '' : 'p_'}${name.replaceAll(/[^A-Za-z0-9_.-]+/g, '_').replace(/^_+|_+$/g, '')}`.slice(
        0,
        50,
      );
  for (const ending of ['', `_${place}`]) if (!taken.has(plain + ending)) return plain + ending;
  for (let count = 2; ; count++) if (!taken.has(`${plain}_${count}`)) return `${plain}_${count}`;
}
