import { global, ignore } from '#lib/sandbox/kernel/primordials.ts';

/**
 * Globals that are taken away from code: those of Node that browsers do not have, and those that store something. `Buffer`
 * remains: Node's own `Response`, `fetch` and message ports look it up as a global, too.
 */
const NODE_GLOBALS = [
  'process',
  'global',
  'setImmediate',
  'clearImmediate',
  'localStorage',
  'sessionStorage',
  'Storage',
];

/** Matches the names of properties of Node's console that lead to its streams. */
const NODE_CONSOLE = /^_|^Console$|^context$/;

/** Defines or replaces a global that code can replace in turn. */
export function defineGlobal(name: string, value: unknown): void {
  Object.defineProperty(global, name, { value, configurable: true, writable: true });
}

/**
 * Takes Node's own globals away, so that code finds what it would find in a browser's worker. This is no boundary: code
 * may find another way to them, and the confinement of the process holds even then.
 */
export function limitGlobals(): void {
  for (const name of NODE_GLOBALS) Reflect.deleteProperty(global, name);
  for (const name of Object.getOwnPropertyNames(console)) {
    if (NODE_CONSOLE.test(name)) Reflect.deleteProperty(console, name);
    // Would write to the process's stdout. The kernel has its own for those that print.
    else Reflect.set(console, name, ignore);
  }
  defineGlobal('self', global);
}
