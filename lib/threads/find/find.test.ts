import { describe, expect, test } from 'vitest';
import type { AssistantMessage, Message } from '#lib/messages/message.ts';
import { findMatches, firstFoundLine, MATCHES_MAX, matchesIn } from './find.ts';
import { markdownText } from './markdown-text.ts';

const user = (id: string, text: string): Message => ({
  id,
  role: 'user',
  createdAt: 1,
  parts: [{ type: 'text', text }],
});

const answer = (id: string, parts: AssistantMessage['parts']): Message => ({
  id,
  role: 'assistant',
  createdAt: 1,
  status: { type: 'done' },
  parts,
});

const call = (toolCallId: string, input: unknown, text: string): AssistantMessage['parts'][number] => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'read_file',
  inputState: 'complete',
  input,
  result: { type: 'tool-result', toolCallId, toolName: 'read_file', output: { content: text } },
});

const never = new AbortController().signal;

describe('a search of a branch', () => {
  test('finds text, code, reasoning, arguments and results, in order', async () => {
    const branch = [
      user('q', 'Where is the Needle?'),
      answer('a', [
        { type: 'reasoning', text: 'The needle must be somewhere.' },
        { type: 'text', text: 'Here:\n\n```ts\nconst needle = 1;\n```' },
        call('c1', { path: '/needle.txt', deep: [{ name: 'needle' }] }, 'One needle, two needles.'),
      ]),
    ];
    expect(await findMatches(branch, 'needle', never)).toEqual([
      { messageId: 'q', part: 'q/0', ordinal: 0 },
      { messageId: 'a', part: 'a/0', ordinal: 0 },
      { messageId: 'a', part: 'a/1', ordinal: 0 },
      { messageId: 'a', part: 'c1', ordinal: 0 },
      { messageId: 'a', part: 'c1', ordinal: 1 },
      { messageId: 'a', part: 'c1', ordinal: 2 },
      { messageId: 'a', part: 'c1', ordinal: 3 },
    ]);
  });

  test.each([
    ['ÄPFEL', 'äpfel and birnen', 1],
    ['a.b', 'a.b axb', 1],
    ['(x)', 'f(x) = (x)', 2],
    ['two words', 'two\nwords, two   words', 2],
    ['İ', 'İstanbul', 1],
    ['  ', 'a  b', 0],
    ['\\', 'a\\b', 1],
  ])('of %j in %j has %i results', (query, text, count) => {
    expect(matchesIn(user('m', text), query)).toHaveLength(count);
  });

  test('finds what is read, not what is written: a match may span formatting', () => {
    const message = answer('a', [
      { type: 'text', text: 'Some **bold** `code` and a [link](https://hidden.example) & more' },
    ]);
    expect(matchesIn(message, 'bold code and a link & more')).toHaveLength(1);
    expect(matchesIn(message, 'hidden.example')).toHaveLength(0);
  });

  test('reads on where a part cannot be taken apart', async () => {
    let deep: unknown = 'needle';
    for (let depth = 0; depth < 50_000; depth++) deep = [deep];
    const branch = [
      answer('a', [{ type: 'text', text: `${'>'.repeat(20_000)} needle` }]),
      answer('b', [call('c', deep, 'needle')]),
      user('d', 'needle'),
    ];
    const found = await findMatches(branch, 'needle', never);
    expect(found.map(({ messageId }) => messageId)).toEqual(['a', 'd']);
  });

  test('of one message with more matches than anyone wants ends at the limit', async () => {
    expect(await findMatches([user('m', 'x'.repeat(2_000_000))], 'x', never)).toHaveLength(MATCHES_MAX);
  });

  test('reads only the beginning of a very long query', () => {
    expect(matchesIn(user('m', 'y'.repeat(1_000)), 'y'.repeat(1_000_000))).toHaveLength(1);
  });

  test('ends at the limit', async () => {
    const branch = Array.from({ length: 20 }, (_, n) => user(`m${n}`, 'x'.repeat(1_000)));
    expect(await findMatches(branch, 'x', never)).toHaveLength(MATCHES_MAX);
  });

  test('rejects when it is aborted, and lets others work in between', async () => {
    const stop = new AbortController();
    const text = 'some text '.repeat(3_000);
    const branch = Array.from({ length: 10_000 }, (_, n) => user(`m${n}`, text));
    const search = findMatches(branch, 'nowhere', stop.signal);
    setTimeout(() => stop.abort());
    await expect(search).rejects.toThrow();
  });
});

test('the first found line has its surroundings, cut to a readable length', () => {
  const message = answer('a', [
    { type: 'text', text: `First line\n\n${'long '.repeat(20)}needle${' after'.repeat(60)}` },
  ]);
  expect(firstFoundLine(message, 'NEEDLE')).toEqual({
    match: { messageId: 'a', part: 'a/0', ordinal: 0 },
    line: { before: `…${'long '.repeat(6)}`, match: 'needle', after: ' after'.repeat(60).slice(0, 160) },
  });
  expect(firstFoundLine(message, 'first')?.line).toEqual({ before: '', match: 'First', after: ' line' });
  expect(firstFoundLine(message, 'absent')).toBeUndefined();
});

test('Markdown reads as its text', () => {
  const markdown = `# Title

A *b* **c** \`d < e\` [f](g) ![h](i)  
next & more

> quoted

1. one
2. two
   - nested

| x | y |
| - | - |
| 1 | 2 |

\`\`\`js
code();
\`\`\`

<b>html</b>`;
  const text = markdownText(markdown);
  for (const part of ['Title', 'A b c d < e f h\nnext & more', 'quoted', 'one\ntwo\nnested', 'x\ny\n1\n2', 'code();'])
    expect(text).toContain(part);
});

test.each([
  ['5~7U 和 100~200倍', '5~7U 和 100~200倍'],
  ['**历经，**年', '历经，年'],
  ['H<sub>2</sub>O', 'H2O'],
  ['open<br>save', 'open\nsave'],
  ['a <script> tag', 'a <script> tag'],
])('the text of %j is that which is shown', (markdown, text) => {
  expect(markdownText(markdown)).toBe(text);
});
