import { KEY_MAX_CHARS } from './limits.ts';
import {
  DateClass,
  describeRegExp,
  domErrorMessage,
  domErrorName,
  ErrorClass,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  isView,
  MapClass,
  mapSize,
  matches,
  PromiseClass,
  RegExpClass,
  SetClass,
  setSize,
  slice,
  stringify,
  timeOf,
  toText,
  viewName,
} from './primordials.ts';

const IS_NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
const IS_INDEX = /^\d+$/;

/** The real kind of an object. Asking the object for its tag would call a getter of its own. */
type Brand = 'view' | 'map' | 'set' | 'date' | 'regexp' | 'promise' | 'error' | 'other';

/**
 * Returns the real kind of an object, such as `map` or `date`, or `view` for a typed array; `other` if it has no special one.
 * Used by `render`. Calls nothing of the object, except a proxy's traps, which may throw.
 */
export function brandOf(object: object): Brand {
  if (isView(object)) return typeof viewName(object) === 'string' ? 'view' : 'other';
  if (object instanceof MapClass) return succeeds(() => mapSize(object)) ? 'map' : 'other';
  if (object instanceof SetClass) return succeeds(() => setSize(object)) ? 'set' : 'other';
  if (object instanceof DateClass) return succeeds(() => timeOf(object)) ? 'date' : 'other';
  if (object instanceof RegExpClass) return succeeds(() => describeRegExp(object)) ? 'regexp' : 'other';
  if (object instanceof PromiseClass) return 'promise';
  return object instanceof ErrorClass ? 'error' : 'other';
}

function succeeds(ask: () => unknown): boolean {
  try {
    ask();
    return true;
  } catch {
    // Getters of a built-in class refuse other objects, whatever their prototype is.
    return false;
  }
}

/** The value of an object's own property; undefined if it has a getter or does not exist. */
const ownValue = (object: object, key: PropertyKey): unknown => getOwnPropertyDescriptor(object, key)?.value;

/**
 * Returns a property's key as it would stand in source code: in quotation marks unless it is a name or an index; a symbol in
 * brackets.
 */
export function keyText(key: string | symbol): string {
  if (typeof key === 'symbol') return `[${toText(key)}]`;
  return matches(IS_NAME, key) || matches(IS_INDEX, key) ? key : stringify(key);
}

/** Returns a function as text, with its name, such as `[Function add]`. */
export function describeFunction(item: object): string {
  const name = ownValue(item, 'name');
  return `[Function ${typeof name === 'string' && name !== '' ? slice(name, 0, KEY_MAX_CHARS) : 'anonymous'}]`;
}

const CLASS_MAX_CHARS = 80;

/**
 * Returns the name of an object's class and a space, such as `Point `; empty for plain objects, `[no prototype] ` for
 * objects without a prototype.
 */
export function className(object: object): string {
  const prototype = getPrototypeOf(object);
  if (prototype === null) return '[no prototype] ';
  const maker = ownValue(prototype, 'constructor');
  const name = typeof maker === 'function' ? ownValue(maker, 'name') : undefined;
  return typeof name === 'string' && name !== 'Object' && name !== '' ? `${slice(name, 0, CLASS_MAX_CHARS)} ` : '';
}

/** Returns an error as text: its name, its message and, if there is one, the error that caused it. */
export function describeError(error: object): string {
  try {
    // The browser's own errors have neither as a property of their own.
    return `${domErrorName(error)}: ${domErrorMessage(error)}`;
  } catch {
    // It is not a DOMException.
  }
  const message = ownValue(error, 'message');
  const cause = ownValue(error, 'cause');
  const text = `${errorName(error)}${typeof message === 'string' && message !== '' ? `: ${message}` : ''}`;
  return cause instanceof ErrorClass
    ? `${text} (caused by ${errorName(cause)}: ${toText(ownValue(cause, 'message') ?? '')})`
    : text;
}

/** The number of objects in an error's prototype chain, the error included, that are searched for its name. */
const NAME_DEPTH_MAX = 8;

function errorName(error: object): string {
  let at: object | null = error;
  for (let depth = 0; at !== null && depth < NAME_DEPTH_MAX; depth++) {
    const name = ownValue(at, 'name');
    if (typeof name === 'string') return slice(name, 0, KEY_MAX_CHARS);
    at = getPrototypeOf(at);
  }
  return 'Error';
}
