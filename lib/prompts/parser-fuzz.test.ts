import { describe, expect, test } from 'vitest';
import { replyCases } from './test/cases.ts';
import { cut, readReply, seeded } from './test/read-reply.ts';

const ROUNDS = 40;
/** The texts that mutations insert: characters and markers that the parser reacts to. */
const INSERTS = [
  ...'<>{}[]()"\'`\\/|:,=\n \u{1f600}',
  '<tool_call>',
  '</tool_call>',
  '<function=read_file>',
  '</parameter>',
  '<think>',
  '</think>',
  '```json\n',
  '\n```\n',
  '{"name":"read_file","arguments":{"path":"',
  '[TOOL_CALLS]',
  '<|im_end|>',
  '<|channel|>',
  '<write_file>',
  'Action: read_file\n',
  '\\u00',
  '"""',
  '"}}',
];

/** One to four changes at random positions: something deleted, inserted, repeated or moved. */
function mutate(reply: string, random: () => number): string {
  let text = reply;
  const changes = 1 + Math.floor(random() * 4);
  for (let change = 0; change < changes; change++) {
    const at = Math.floor(random() * (text.length + 1));
    const length = Math.floor(random() * 12);
    const piece = text.slice(at, at + length);
    const kind = Math.floor(random() * 4);
    if (kind === 0) text = text.slice(0, at) + text.slice(at + length);
    else if (kind === 1) text = text.slice(0, at) + INSERTS[Math.floor(random() * INSERTS.length)] + text.slice(at);
    else if (kind === 2) text = text.slice(0, at) + piece + text.slice(at);
    else {
      const to = Math.floor(random() * (text.length + 1));
      text = text.slice(0, to) + piece + text.slice(to);
    }
  }
  return text;
}

/** Checks whether one text is a subsequence of another, apart from the line breaks between messages. */
function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (const character of part.replaceAll('\n', '').split('')) {
    at = whole.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

describe('mutated replies', () => {
  test.each(replyCases.map((entry, index) => ({ ...entry, index })))(
    '$file: $name',
    ({ reply, startsInReasoning, index }) => {
      const random = seeded(index + 1);
      for (let round = 0; round < ROUNDS; round++) {
        const mutated = mutate(reply, random);
        const whole = readReply([mutated], startsInReasoning);
        expect(readReply(cut(mutated, random), startsInReasoning), `cut differently: ${mutated}`).toEqual(whole);
        // If the message is JSON, escapes in its text are decoded.
        if (!mutated.includes('\\u'))
          expect(isWithin(whole.text, mutated), `text that was not in the reply: ${mutated}`).toBe(true);
        expect(isWithin(whole.reasoning, mutated), `reasoning that was not in the reply: ${mutated}`).toBe(true);
        for (const { deltas, input, incomplete } of whole.calls) {
          if (incomplete) expect(typeof input, mutated).toBe('object');
          else expect(JSON.parse(deltas), `deltas that are not the arguments: ${mutated}`).toEqual(input);
        }
      }
    },
  );
});
