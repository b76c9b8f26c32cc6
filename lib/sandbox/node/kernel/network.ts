import { renderError } from '#lib/sandbox/kernel/errors.ts';
import { defineFetch, needsNoNetwork } from '#lib/sandbox/kernel/fetch.ts';
import { global, toText } from '#lib/sandbox/kernel/primordials.ts';
import { refuse } from '#lib/sandbox/kernel/refuse.ts';
import { defineGlobal } from './globals.ts';

const Exception = DOMException;
const load = global.fetch;

/** Network interfaces of browsers besides `fetch`. */
const CONNECTIONS = ['WebSocket', 'EventSource', 'XMLHttpRequest'];

/**
 * Replaces the globals with which code in a browser uses the network: they fail as in a browser whose policy refuses them. Only
 * `fetch` still works for the web: it asks the studio to send the request. Node's own modules are refused by `refuseModules`.
 * The confinement of the process is what really prevents the use of a network.
 */
export function refuseNetwork(): void {
  defineFetch(async (input, init) => {
    const address = toText(isRequest(input) ? input.url : input);
    if (needsNoNetwork(address)) return load(input, init);
    throw refused(address, new TypeError('Failed to fetch: there is no network here.'));
  });
  for (const name of CONNECTIONS)
    defineGlobal(
      name,
      class {
        static readonly name = name;
        constructor(address: unknown = name) {
          throw refused(
            toText(address),
            new Exception(`Failed to construct '${name}': there is no network here.`, 'SecurityError'),
          );
        }
      },
    );
}

const isRequest = (input: unknown): input is Request => typeof input === 'object' && input !== null && 'url' in input;

/** Reports an address as refused, with the line of code that the error's stack has, and returns the error. */
function refused(address: string, error: Error): Error {
  refuse('connect-src', address, renderError(error).place?.line);
  return error;
}
