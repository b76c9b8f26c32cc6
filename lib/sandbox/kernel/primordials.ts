// The parts of the language and of its host that the kernel needs, captured before any evaluated code runs.
//
// That code runs in the same realm: it can replace every method and getter of a prototype, and the iterator of arrays.
// The kernel's view of values, and its messages, must not depend on them. So once the kernel has started:
// - it calls methods and getters of values only through `uncurried` and `getterOf`,
// - it uses maps and sets only through `boundMap` and `boundSet`,
// - it reads and writes arrays only by index: no methods, no `for…of`, no spread, no destructuring.
// Modules that need more capture it in the same way, while they are loaded or before the first evaluation.

/** The global object: of a window, of a worker, or of a process. */
export const global = globalThis;
/** Whether the kernel runs in a window, with a document, and not in a worker or a process. */
export const isWindow = typeof document !== 'undefined';

const script = isWindow ? document.currentScript : null;
/** The kernel's own source, from which it starts itself in a worker; empty without a window. */
export const source = script?.textContent ?? '';
script?.remove();

/** An indirect eval: runs code in the global scope, and returns its completion value. */
export const evaluate: (code: string) => unknown = global.eval;

/** Functions of the language, captured here, as everything in this module, before evaluated code can replace them. */
export const { apply, ownKeys } = Reflect;
export const { getOwnPropertyDescriptor, getPrototypeOf, is } = Object;
export const { isArray } = Array;
export const { isView } = ArrayBuffer;
export const { ceil } = Math;
export const { stringify, parse } = JSON;
/** Classes of the language, for `instanceof`, captured because evaluated code may declare bindings with their names. */
export const {
  Date: DateClass,
  Error: ErrorClass,
  Map: MapClass,
  Promise: PromiseClass,
  RegExp: RegExpClass,
  Set: SetClass,
} = global;
/** Converts a value to text; may call methods of an object. */
export const toText = String;
/** Converts a value to a number; may call methods of an object. */
export const toNumber = Number;
/** Returns a new promise with the functions that settle it, like `Promise.withResolvers`. */
export const makePromise = Promise.withResolvers.bind(Promise);
/** Returns the time since the kernel's global object was created, in milliseconds. */
export const now = performance.now.bind(performance);
/** Does nothing. */
export const ignore = (): void => undefined;

/**
 * Turns a method into a function whose first argument is the object that the method is called on. That function works even if
 * evaluated code replaces the method later.
 */
export function uncurried<Rest extends unknown[], Result>(
  method: (...rest: Rest) => Result,
): (self: unknown, ...rest: Rest) => Result {
  return (self, ...rest) => apply(method, self, rest);
}

/**
 * Returns the getter of a prototype's property as a function whose argument is the object to get the property of. Throws
 * `TypeError` if the property has no getter.
 */
export function getterOf<Type extends object, Name extends keyof Type>(
  prototype: Type,
  name: Name,
): (self: unknown) => Type[Name] {
  const get = getOwnPropertyDescriptor(prototype, name)?.get;
  if (get === undefined) throw new TypeError(`${toText(name)} has no getter.`);
  return uncurried(get);
}

/**
 * Creates a map, and returns its methods, bound to it, because evaluated code may replace those of `Map.prototype`. Must be
 * called before any evaluated code runs.
 */
export function boundMap<Key, Value>(): Pick<Map<Key, Value>, 'get' | 'set' | 'delete'> {
  const map = new Map<Key, Value>();
  return { get: map.get.bind(map), set: map.set.bind(map), delete: map.delete.bind(map) };
}

/**
 * Creates a set, and returns its methods, bound to it, because evaluated code may replace those of `Set.prototype`. Must be
 * called before any evaluated code runs.
 */
export function boundSet<Item>(): Pick<Set<Item>, 'has' | 'add' | 'delete'> {
  const set = new Set<Item>();
  return { has: set.has.bind(set), add: set.add.bind(set), delete: set.delete.bind(set) };
}

/**
 * Methods of strings, numbers, and regular expressions, as functions whose first argument is the object that the method is
 * called on. `slice` is that of strings.
 */
export const slice = uncurried(String.prototype.slice);
export const startsWith = uncurried(String.prototype.startsWith);
export const toFixed = uncurried(Number.prototype.toFixed);
export const exec = uncurried(RegExp.prototype.exec);
/** Checks whether a text matches a pattern. `RegExp.prototype.test` would call an `exec` that code may have replaced. */
export const matches = (pattern: RegExp, text: string): boolean => exec(pattern, text) !== null;
/**
 * Returns a regular expression as source has it, such as `/a+/g`: its `toString`, as a function whose argument is the object.
 */
export const describeRegExp = uncurried(RegExp.prototype.toString);
/**
 * Methods and getters of dates, maps, and sets, as functions whose first argument is the object. They throw for any other
 * object.
 */
export const describeDate = uncurried(Date.prototype.toISOString);
export const timeOf = uncurried(Date.prototype.getTime);
export const eachOfMap = uncurried(Map.prototype.forEach);
export const eachOfSet = uncurried(Set.prototype.forEach);
export const mapSize = getterOf(Map.prototype, 'size');
export const setSize = getterOf(Set.prototype, 'size');

const typedArray: Uint8Array = getPrototypeOf(Uint8Array.prototype);
/** Returns the length of a typed array; throws for any other object. */
export const lengthOf = getterOf(typedArray, 'length');
/** Returns the name of a typed array's class, such as `Uint8Array`; undefined for any other value. */
export const viewName: (self: unknown) => string | undefined = getterOf(typedArray, Symbol.toStringTag);

/** Returns the name of a `DOMException`; throws for any other object. */
export const domErrorName = getterOf(DOMException.prototype, 'name');
/** Returns the message of a `DOMException`; throws for any other object. */
export const domErrorMessage = getterOf(DOMException.prototype, 'message');

/**
 * The parts of the DOM that the kernel needs, captured before evaluated code can replace them: methods and getters of nodes,
 * elements, and canvases, as functions whose first argument is the node. Undefined without a window.
 */
export const dom = isWindow ? captureDom() : undefined;

function captureDom() {
  const { prototype: node } = Node;
  const { prototype: element } = Element;
  const { prototype: canvas } = HTMLCanvasElement;
  return {
    nodeType: getterOf(node, 'nodeType'),
    nodeName: getterOf(node, 'nodeName'),
    textOf: getterOf(node, 'textContent'),
    htmlOf: getterOf(element, 'outerHTML'),
    widthOf: getterOf(canvas, 'width'),
    heightOf: getterOf(canvas, 'height'),
    picture: uncurried(canvas.toDataURL),
    boxOf: uncurried(element.getBoundingClientRect),
    boxWidth: getterOf(DOMRectReadOnly.prototype, 'width'),
    boxHeight: getterOf(DOMRectReadOnly.prototype, 'height'),
    xmlOf: XMLSerializer.prototype.serializeToString.bind(new XMLSerializer()),
    create: document.createElement.bind(document),
    append: uncurried(element.append),
    remove: uncurried(element.remove),
    rootOf: getterOf(Document.prototype, 'documentElement'),
    document,
  };
}
