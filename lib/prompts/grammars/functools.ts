import { type Reply, refuse } from '../reply.ts';
import type { Reading } from '../source.ts';
import { readCallList } from './json-calls.ts';

/** Reads `functools[…]`, a list of calls in Phi-4-mini's format. Throws `REFUSAL` if there is none. */
export function* readFunctools(reply: Reply): Reading<void> {
  if (!(yield* reply.source.accept('functools'))) refuse();
  if ((yield* reply.source.peek()) !== '[') refuse();
  reply.markDistinctive();
  yield* readCallList(reply, true);
}
