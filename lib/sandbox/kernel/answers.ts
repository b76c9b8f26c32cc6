import type { PageMessage } from '../protocol.ts';
import { boundMap, makePromise } from './primordials.ts';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const waiting = boundMap<number, Waiting>();
let lastRequest = 0;

/**
 * Returns the number for a new request to the studio's page, and a promise of its answer. If the page answers with an error,
 * the promise rejects.
 */
export function newRequest(): { request: number; answer: Promise<unknown> } {
  const { promise, resolve, reject } = makePromise<unknown>();
  waiting.set(++lastRequest, { resolve, reject });
  return { request: lastRequest, answer: promise };
}

/** Settles the request that an answer belongs to. */
export function takeAnswer({ request, error, value }: Extract<PageMessage, { type: 'answer' }>): void {
  const known = waiting.get(request);
  waiting.delete(request);
  if (error === undefined) known?.resolve(value);
  else known?.reject(new Error(error));
}
