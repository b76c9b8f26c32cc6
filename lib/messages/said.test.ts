import { describe, expect, test } from 'vitest';
import { estimateTokens } from '#lib/base/estimate-tokens.ts';
import type { Message, UserMessage } from './message.ts';
import { saidBefore, shortened } from './said.ts';

const asks = (id: string, text: string): UserMessage => ({
  id,
  role: 'user',
  createdAt: 0,
  parts: [{ type: 'text', text }],
});
const answers = (id: string): Message => ({
  id,
  role: 'assistant',
  createdAt: 0,
  status: { type: 'done' },
  parts: [{ type: 'text', text: 'Yes.' }],
});

const limits = { messageChars: 100, saidTokens: 10_000 };

describe('what the person said before a point', () => {
  const branch = [asks('q1', 'One'), answers('a1'), asks('q2', 'Two'), answers('a2'), asks('q3', 'Three')];

  test('is every message before it, and the question of the turn in which it is', () => {
    const texts = (messageId: string, part = 0) =>
      saidBefore(branch, { ...limits, from: { messageId, part } }).map(({ text }) => text);
    expect(texts('q2')).toEqual(['One']);
    expect(texts('a2', 3)).toEqual(['One', 'Two']);
    expect(texts('q3')).toEqual(['One', 'Two']);
    expect(texts('gone')).toEqual([]);
  });

  test('has the beginning and the end of long messages, and the file with the whole', () => {
    const long = `begin ${'x'.repeat(300)} end`;
    const [said] = saidBefore([asks('4f3c-../..', long), ...branch], { ...limits, from: { messageId: 'q1', part: 0 } });
    expect(said?.path).toBe('/.roundtrip/messages/1-4f3c.txt');
    expect(said?.whole()).toBe(long);
    expect(said?.text).toMatch(/^begin x+\n\[… \d+ characters are left out here …\]\nx+ end$/);
  });

  test('leaves most room for the newest messages, and never takes more than there is', () => {
    const many = Array.from({ length: 500 }, (_, n) => asks(`m${n}`, `${n} ${'y'.repeat(400)}`));
    const said = saidBefore([...many, answers('a')], {
      messageChars: 500,
      saidTokens: 5_000,
      from: { messageId: 'a', part: 0 },
    });
    expect(said.at(-1)?.path).toBeUndefined();
    const shortest = said.find(({ text }) => text !== undefined);
    expect(shortest?.text?.length).toBeLessThan(250);
    expect(shortest?.path).toBeDefined();
    expect(said[0]).toMatchObject({ text: undefined, path: '/.roundtrip/messages/1-m0.txt' });
    expect(said.reduce((sum, { text = '' }) => sum + estimateTokens(text), 0)).toBeLessThanOrEqual(5_000);
  });

  test('names attachments, whose texts are in the file', () => {
    const message: UserMessage = {
      id: 'q',
      role: 'user',
      createdAt: 0,
      parts: [
        { type: 'text', text: 'Look' },
        {
          type: 'file',
          mediaType: 'text/plain',
          filename: 'a\n2. b.txt',
          url: `data:text/plain;base64,${btoa('inside')}`,
        },
        { type: 'file', mediaType: 'image/png', filename: 'b.png', url: 'data:image/png;base64,AAAA' },
      ],
    };
    const [said] = saidBefore([message, answers('a')], { ...limits, from: { messageId: 'a', part: 0 } });
    expect(said?.text).toBe('Look\n\n[Attached: a 2. b.txt]\n\n[Attached: b.png]');
    expect(said?.whole()).toBe('Look\n\n[Attached: a 2. b.txt]\ninside\n\n[Attached: b.png]');
    expect(said?.path).toBe('/.roundtrip/messages/1-q.txt');
  });
});

test('no character is cut in half', () => {
  const text = '😀'.repeat(50);
  expect(shortened(text, 21)).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
});
