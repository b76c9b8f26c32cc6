import { describe, expect, test } from 'vitest';
import { replyCases } from './test/cases.ts';
import { cut, type ReadReply, readReply, seeded } from './test/read-reply.ts';

const CUTS = 20;

const trimmed = ({ text, reasoning, calls, unreadable }: ReadReply) => ({
  text: text.trim(),
  reasoning: reasoning.trim(),
  calls: calls.map(({ deltas: _, ...call }) => call),
  unreadable,
});

describe.each(
  Map.groupBy(replyCases, ({ file }) => file)
    .entries()
    .toArray(),
)('%s', (_file, cases) => {
  test.each(cases)('$name', ({ reply, text, reasoning, calls, unreadable, startsInReasoning }) => {
    const whole = readReply([reply], startsInReasoning);
    expect(trimmed(whole)).toEqual({ text, reasoning, calls, unreadable });
    expect(readReply(reply, startsInReasoning), 'character by character').toEqual(whole);
    const random = seeded(7);
    for (let round = 0; round < CUTS; round++)
      expect(readReply(cut(reply, random), startsInReasoning), `cut at random, round ${round}`).toEqual(whole);
    for (const call of whole.calls) if (!call.incomplete) expect(JSON.parse(call.deltas)).toEqual(call.input);
  });
});
