import type { PageMessage } from '../protocol.ts';
import { boundMap, makePromise } from './primordials.ts';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const waiting = boundMap<number, Waiting>();
let lastRequest = 0;

/**
 * Registers a request that the caller is about to send to the studio's page. Returns its number, which the answer repeats, and
 * a promise of the answer. If the page answers with an error, the promise rejects.
 */
export function newRequest(): { request: number; answer: Promise<unknown> } {
  const { promise, resolve, reject } = makePromise<unknown>();
  waiting.set(++lastRequest, { resolve, reject });
  return { request: lastRequest, answer: promise };
}

/**
 * Resolves or rejects the promise that `newRequest` returned for the request to which this answer of the studio's page belongs.
 * An answer to an unknown request is ignored.
 */
export function takeAnswer({ request, error, value }: Extract<PageMessage, { type: 'answer' }>): void {
  const known = waiting.get(request);
  waiting.delete(request);
  if (error === undefined) known?.resolve(value);
  else known?.reject(new Error(error));
}
