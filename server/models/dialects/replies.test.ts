import { expect, test } from 'vitest';
import { parsedExactly } from './fields.ts';
import { REPLIES } from './test/odd-reply.ts';
import { receive } from './test/receive.ts';

/** Arguments without the spaces that a model may write, with all digits of their numbers. */
const plain = (call: string): string => {
  const at = call.indexOf(' ');
  try {
    return `${call.slice(0, at)} ${JSON.stringify(parsedExactly(call.slice(at + 1)))}`;
  } catch {
    return call;
  }
};

test.each(REPLIES)('$server, $id: $what', async ({ status, headers, body, expect: expected }) => {
  const received = await receive(new Response(body, { status, headers }));
  expect(received.text).toBe(expected.text);
  if (expected.error !== undefined) {
    expect(received.errors).toHaveLength(1);
    expect(received.errors[0]).toContain(expected.error);
    // The dump of a validator, or a page.
    expect(received.errors[0]).not.toMatch(/Type validation failed|invalid_type|<html/i);
    return;
  }
  const calls = expected.calls.map((call) => `${call.name} ${call.argumentsJson ?? JSON.stringify(call.arguments)}`);
  expect(received).toMatchObject({ reasoning: expected.reasoning ?? '', errors: [] });
  expect(received.calls.map(plain)).toEqual(calls);
});
