import { parsedExactly } from '../fields.ts';
import type { OddReply } from './odd-reply.ts';
import type { Received } from './receive.ts';

/** A dump of a validator, or a page. */
export const DUMP = /Type validation failed|invalid_type|invalid_union|<html|<!doctype/i;

/** Compares what was received of a reply with what was expected. Returns the difference; undefined if there is none. */
export function differenceIn(
  { expect: expected }: OddReply,
  received: Pick<Received, 'text' | 'reasoning' | 'calls' | 'errors'>,
): string | undefined {
  const { text, reasoning, errors } = received;
  const said = errors.join('\n');
  if (DUMP.test(said)) return `a dump is shown: ${said}`;
  if (text !== expected.text) return `the text is ${JSON.stringify(text)}`;
  if (expected.error !== undefined)
    return errors.length > 0 && said.includes(expected.error) ? undefined : `the error is ${JSON.stringify(said)}`;
  if (errors.length > 0) return `it fails: ${said}`;
  if (reasoning !== (expected.reasoning ?? '')) return `the thoughts are ${JSON.stringify(reasoning)}`;
  const wanted = expected.calls.map((call) => `${call.name} ${call.argumentsJson ?? JSON.stringify(call.arguments)}`);
  const calls = received.calls.map(plain);
  return calls.join('\n') === wanted.join('\n') ? undefined : `the calls are ${calls.join(', ')}`;
}

/** A call without the spaces that a model may write in its arguments, with all digits of their numbers. */
function plain(call: string): string {
  const at = call.indexOf(' ');
  try {
    return `${call.slice(0, at)} ${JSON.stringify(parsedExactly(call.slice(at + 1)))}`;
  } catch {
    return call;
  }
}
