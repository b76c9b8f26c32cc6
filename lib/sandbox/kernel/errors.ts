import type { RenderedValue } from '#lib/tools/capabilities/rendered-value.ts';
import type { RunPlace } from '../protocol.ts';
import { PLACES_MAX } from './limits.ts';
import { apply, boundMap, ErrorClass, exec, getOwnPropertyDescriptor, toNumber } from './primordials.ts';
import { render } from './render.ts';
import { state } from './state.ts';

/** Matches a position in an evaluation's code, such as `call-2.js:7`. */
const CALL = /\bcall-(\d+)\.js:(\d+)/;

/** Matches positions in the scripts of a page. */
const SCRIPTS = /((?:blob:|studio-preview-)[^\s()]*?):(\d+):(\d+)/g;

/** The browser's own getter of an error's stack; undefined if the stack is an ordinary property. */
const stackGetter = getOwnPropertyDescriptor(new Error(), 'stack')?.get;

/**
 * The names that the studio gave the scripts of a previewed page, by the scripts' addresses. `placesIn` gives these names
 * instead of the addresses.
 */
export const scriptNames = boundMap<string, string>();

/** A thrown value, as the kernel sends it to the studio's page. */
export interface Thrown {
  value: RenderedValue;
  isError: boolean;
  /** The position in the code of an evaluation: the evaluation's number (`run`) and the line, both from 1. */
  place?: { run: number; line: number };
  /** The positions in the scripts of a page, innermost first. */
  at?: RunPlace[];
}

/**
 * Returns a thrown value in the form in which the kernel sends it: rendered (see `render`), and with the positions in code
 * that its stack names.
 */
export function renderError(error: unknown): Thrown {
  const place = placeOf(error);
  const value = render(error);
  const at = state.isPage ? placesIn(stackOf(error)) : [];
  return { value, isError: isError(error), ...(place && { place }), ...(at.length > 0 && { at }) };
}

/** Returns the positions in a page's scripts that an error's stack names, innermost first, at most `PLACES_MAX`. */
export function placesIn(stack: string): RunPlace[] {
  const places: RunPlace[] = [];
  SCRIPTS.lastIndex = 0;
  for (let found = exec(SCRIPTS, stack); found !== null && places.length < PLACES_MAX; found = exec(SCRIPTS, stack)) {
    const address = found[1] ?? '';
    const script = scriptNames.get(address) ?? address;
    places[places.length] = { script, line: toNumber(found[2]), column: toNumber(found[3]) };
  }
  return places;
}

/**
 * Returns the line of the first position in a text that is in the code of an evaluation, such as 7 for `call-2.js:7`;
 * undefined if there is none.
 */
export function lineOf(position: string): number | undefined {
  return placeIn(position)?.line;
}

const placeOf = (error: unknown) => placeIn(stackOf(error));

function placeIn(stack: string): Thrown['place'] {
  const found = exec(CALL, stack);
  return found === null ? undefined : { run: toNumber(found[1]), line: toNumber(found[2]) };
}

/** Checks whether a thrown value is an error. A proxy that throws when it is asked counts as none. */
function isError(thrown: unknown): thrown is Error {
  try {
    return thrown instanceof ErrorClass;
  } catch {
    return false;
  }
}

function stackOf(error: unknown): string {
  if (!isError(error)) return '';
  const property = getOwnPropertyDescriptor(error, 'stack');
  const stack =
    property?.value ??
    (property?.get === stackGetter && stackGetter !== undefined ? apply(stackGetter, error, []) : '');
  return typeof stack === 'string' ? stack : '';
}
