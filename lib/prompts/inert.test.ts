import { describe, expect, test } from 'vitest';
import { JsonRestorer, makeInert, makeInertIn, Restorer, restore, restoreJson } from './inert.ts';
import { cut, seeded } from './test/read-reply.ts';

const BREAK = '\u2063';

const MARKERS = [
  '<|im_end|>',
  '<|im_start|>system',
  '<|start_header_id|>user<|end_header_id|>',
  '<|"|>',
  '<|channel>thought',
  '<turn|>',
  '<｜User｜>',
  '<｜tool▁calls▁begin｜>',
  '[INST]',
  '[/INST]',
  '[TOOL_CALLS]',
  '[TOOL_RESULTS]',
  '<<SYS>>',
  '<</SYS>>',
  '<start_of_turn>model',
  '<end_of_turn>',
  '<s>',
  '</s>',
  '<bos>',
  '<think>',
  '</think>',
  '<seed:think>',
  '◁think▷',
  '◁/think▷',
  '<tool_call>',
  '</tool_call>',
  '<tool_response>',
  '<arg_key>',
  '<invoke name="delete_path">',
  '<fim_prefix>',
  '[tool_result call_1 read_file]',
  '[/tool_result call_1]',
  '[call_error read_file]',
  '[tool_result\tcall_1 read_file]',
  '[tool_result\u00a0call_1 read_file]',
  '<function=delete_path>',
  '</function>',
  '<tool_result>',
  '[|system|]',
  '[|endofturn|]',
  ']~b]user',
  ']~!b[',
  '[e~[',
  '<seed:bos>',
  '<SPECIAL_12>',
  '<image_soft_token>',
  '<start_function_call>',
  '<escape>',
  '<longcat_tool_call>',
  '<__end_of_turn__>',
  '[UNUSED_TOKEN_145]',
];

describe('markers of templates', () => {
  test.each(MARKERS)('%s is broken after its first character, and restored', (marker) => {
    const inert = makeInert(`a ${marker} b`);
    expect(inert).not.toContain(marker);
    expect(inert.replaceAll(BREAK, '')).toBe(`a ${marker} b`);
    expect(restore(inert)).toBe(`a ${marker} b`);
  });

  test.each(MARKERS)('a broken %s gets a second break', (marker) => {
    const inert = makeInert(marker);
    expect(makeInert(inert)).not.toBe(inert);
    expect(restore(makeInert(inert))).toBe(inert);
  });

  test.each([
    'if (a < b && c > d) return [1, 2];',
    '<div class="a"><p>Hello</p></div>',
    'Map<string, number[]>',
    '[link](https://example.org) and [x] done',
    '[INFO] started',
    'a <- b | c',
    '<!-- comment -->',
    'std::vector<std::string>',
  ])('%s is left as it is', (text) => expect(makeInert(text)).toBe(text));

  test('in a JSON value, the names of properties change like strings', () => {
    expect(makeInertIn({ '<s>': ['<s>', 1, null, { a: 'x' }] })).toEqual({
      [`<${BREAK}s>`]: [`<${BREAK}s>`, 1, null, { a: 'x' }],
    });
  });
});

/** A random text of markers, parts of markers, breaks and other text. */
function randomText(random: () => number): string {
  const pieces = [
    ...MARKERS,
    BREAK,
    BREAK + BREAK,
    '<',
    '[',
    '◁',
    '\\',
    '"',
    '\\u2063',
    '\n',
    'text',
    '😀',
    '/',
    '|',
    '>',
  ];
  return Array.from({ length: 1 + Math.floor(random() * 30) }, () => pieces[Math.floor(random() * pieces.length)]).join(
    '',
  );
}

describe('what the model repeats', () => {
  test('is what it was given, however it is split', () => {
    const random = seeded(1);
    for (let round = 0; round < 2_000; round++) {
      const text = randomText(random);
      const restorer = new Restorer();
      expect(
        cut(makeInert(text), random)
          .map((piece) => restorer.push(piece))
          .join(''),
      ).toBe(text);
    }
  });

  test.each([
    ['as it is', (json: string) => json],
    [
      'with escapes',
      (json: string) =>
        json.replaceAll(/[\u0080-\uffff<>]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ],
  ])('inside JSON text, %s, is what it was given, however it is cut', (_, write) => {
    const random = seeded(2);
    for (let round = 0; round < 2_000; round++) {
      const value = { path: '/a', content: randomText(random), [randomText(random)]: [randomText(random)] };
      const json = write(JSON.stringify(makeInertIn(value)));
      const restorer = new JsonRestorer();
      const pieces = cut(json, random).map((piece) => restorer.push(piece));
      expect(JSON.parse(pieces.join('') + restorer.end())).toEqual(value);
      expect(JSON.parse(restoreJson(json))).toEqual(value);
    }
  });

  test('different texts stay different', () => {
    const random = seeded(3);
    const inert = new Map<string, string>();
    for (let round = 0; round < 5_000; round++) {
      const text = randomText(random).slice(0, 8);
      expect(inert.get(makeInert(text)) ?? text).toBe(text);
      inert.set(makeInert(text), text);
    }
  });

  test('stays unchanged without a break', () => {
    expect(restore('<|im_end|>')).toBe('<|im_end|>');
    expect(restoreJson('{"a":"<|im_end|> \\\\u2063"}')).toBe('{"a":"<|im_end|> \\\\u2063"}');
  });
});
