import { describe, expect, test } from 'vitest';
import { createProtocolParser } from './parser.ts';
import { cut, type ReadReply, readReply, seeded } from './test/read-reply.ts';

const parse = (pieces: Iterable<string>, startsInReasoning: boolean): ReadReply =>
  readReply(pieces, startsInReasoning, []);

/** Parses the reply whole, character by character and at random cuts, and expects the same result each time. */
function parseEveryWay(reply: string, startsInReasoning = false): ReadReply {
  const whole = parse([reply], startsInReasoning);
  expect(parse(reply, startsInReasoning)).toEqual(whole);
  const random = seeded(7);
  for (let round = 0; round < 20; round++) expect(parse(cut(reply, random), startsInReasoning)).toEqual(whole);
  return whole;
}

// Written by hand, as a model writes it.
const LIST_SRC =
  '{"tool_calls":[{"id":"call_0","type":"function","function":{"name":"list_directory","arguments":"{\\"path\\":\\"/src\\"}"}}]}';

describe('calls', () => {
  test('a bare object is a call and leaves no text', () => {
    expect(parseEveryWay(LIST_SRC)).toEqual({
      text: '',
      reasoning: '',
      calls: [{ name: 'list_directory', input: { path: '/src' }, deltas: '{"path":"/src"}' }],
    });
  });

  test('prose before and after is kept', () => {
    const reply = parseEveryWay(`Let me look {first}.\n${LIST_SRC}\nDone.`);
    expect(reply.text).toBe('Let me look {first}.\n\nDone.');
    expect(reply.calls).toHaveLength(1);
  });

  test('several calls keep their order, identical ones included', () => {
    const one = '{"id":"a","type":"function","function":{"name":"read_file","arguments":"{\\"path\\":\\"/a\\"}"}}';
    const reply = parseEveryWay(`{"tool_calls":[${one}, ${one},\n${one.replace('/a', '/b')}]}`);
    expect(reply.calls.map((call) => call.input)).toEqual([{ path: '/a' }, { path: '/a' }, { path: '/b' }]);
  });

  test('two objects in one reply are both read', () => {
    expect(parseEveryWay(`${LIST_SRC}\n\n${LIST_SRC}`).calls).toHaveLength(2);
  });

  test('a JSON fence around the call is part of the protocol', () => {
    for (const fence of ['```json', '```', '~~~json', '````json']) {
      const close = fence.replace('json', '');
      const reply = parseEveryWay(`Now:\n${fence}\n${LIST_SRC}\n${close}\nThanks`);
      expect(reply.text).toBe('Now:\n\nThanks');
      expect(reply.calls).toHaveLength(1);
    }
  });

  test('arguments may be an object, nested and with braces in strings', () => {
    const reply = parseEveryWay(
      '{"tool_calls":[{"function":{"name":"f","arguments":{"a":{"b":[1,-2.5e3,"}{"]},"c":"\\u00e9\\n"}}}]}',
    );
    expect(reply.calls).toEqual([
      {
        name: 'f',
        input: { a: { b: [1, -2500, '}{'] }, c: 'é\n' },
        deltas: '{"a":{"b":[1,-2500,"}{"]},"c":"é\\n"}',
      },
    ]);
  });

  test('arguments before the name are held back until it arrives', () => {
    const reply = parseEveryWay('{"tool_calls":[{"function":{"arguments":"{\\"a\\":1}","name":"f"}}]}');
    expect(reply.calls).toEqual([{ name: 'f', input: { a: 1 }, deltas: '{"a":1}' }]);
  });

  test('missing, null and empty arguments are {}', () => {
    for (const field of ['', ',"arguments":null', ',"arguments":""', ',"arguments":"{}"']) {
      const reply = parseEveryWay(`{"tool_calls":[{"function":{"name":"f"${field}}}]}`);
      expect(reply.calls).toEqual([{ name: 'f', input: {}, deltas: '{}' }]);
    }
  });

  test('arguments that are not JSON are passed on as text', () => {
    const reply = parseEveryWay('{"tool_calls":[{"function":{"name":"f","arguments":"{\\"a\\": 6*"}}]}');
    expect(reply.calls).toEqual([{ name: 'f', input: { a: '6*' }, deltas: '{"a":"6*"}' }]);
  });

  test('deltas are streamed while the model writes, and surrogate pairs are never split', () => {
    const content = '😀 line\\n'.repeat(500);
    const reply = `{"tool_calls":[{"function":{"name":"write_file","arguments":"{\\"path\\":\\"/a\\",\\"content\\":\\"${content.replaceAll('\\', '\\\\')}\\"}"}}]}`;
    const parser = createProtocolParser({ tools: [], createId: () => 'id' });
    const deltas = reply
      .split('')
      .flatMap((piece) => parser.push(piece))
      .filter((part) => part.type === 'tool-input-delta');
    expect(deltas.length).toBeGreaterThan(1000);
    for (const { delta } of deltas) expect(delta.isWellFormed()).toBe(true);
    const input = parseEveryWay(reply).calls[0]?.input as { content: string };
    expect(input.content).toBe('😀 line\n'.repeat(500));
  });
});

describe('text that is not a call stays text', () => {
  const quoted = [
    '{"tools":[1]} and { } and {"tool_call":1}',
    `The format is \`${LIST_SRC}\`, inline.`,
    `Double: \`\`${LIST_SRC}\`\` too.`,
    `\`\`\`ts\nconst x = ${LIST_SRC};\n\`\`\`\nend`,
    `\`\`\`python\n${LIST_SRC}\n\`\`\``,
    '```json\n{"name":"x"}\n```\nafter',
    '```json\n[1,2]\n```',
    '```\nplain\n```\n',
    'a < b, <b>bold</b>\n<thin>\n`x`\n``y``\n~ ~~',
    '{"tool_calls":"none"}',
    '{"tool_calls":[1]}',
    'if (a) {\n  b\n}\n```',
    '{',
    '{"to',
    '```js',
    '<thi',
    '`',
  ];
  for (const reply of quoted) {
    test(JSON.stringify(reply.slice(0, 50)), () => {
      expect(parseEveryWay(reply)).toEqual({ text: reply, reasoning: '', calls: [] });
    });
  }
});

describe('reasoning', () => {
  test('blocks are reasoning, including calls in them', () => {
    const reply = parseEveryWay(`<think>I could ${LIST_SRC} </thin> it</think>\nHello`);
    expect(reply).toEqual({ text: '\nHello', reasoning: `I could ${LIST_SRC} </thin> it`, calls: [] });
  });

  test('a call after the block is a call', () => {
    const reply = parseEveryWay(`<thinking>plan</thinking>${LIST_SRC}`);
    expect(reply.reasoning).toBe('plan');
    expect(reply.calls).toHaveLength(1);
  });

  test('a reply may begin inside a block', () => {
    expect(parseEveryWay('plan</think>answer', true)).toEqual({ text: 'answer', reasoning: 'plan', calls: [] });
  });

  test('a block that never ends is reasoning to the end', () => {
    expect(parseEveryWay('<think>still thinking </th')).toEqual({
      text: '',
      reasoning: 'still thinking ',
      calls: [],
    });
  });
});

describe('truncation', () => {
  test('arguments are closed but the wrapper is not: a complete call', () => {
    for (let cut = 1; cut <= 4; cut++) {
      const reply = parseEveryWay(LIST_SRC.slice(0, -cut));
      expect(reply.calls).toEqual([{ name: 'list_directory', input: { path: '/src' }, deltas: '{"path":"/src"}' }]);
      expect(reply.text).toBe('');
    }
  });

  test('cut off inside the arguments: an incomplete call', () => {
    const reply = parseEveryWay(LIST_SRC.slice(0, LIST_SRC.indexOf('src')));
    expect(reply.calls).toEqual([
      { name: 'list_directory', input: { path: '/' }, incomplete: true, deltas: '{"path":"/' },
    ]);
  });

  test('cut off before the name: no call, and nothing is shown', () => {
    expect(parseEveryWay('Hi {"tool_calls":[{"id":"x","ty')).toEqual({ text: 'Hi ', reasoning: '', calls: [] });
  });

  test('cut off in the closing fence: nothing is shown', () => {
    expect(parseEveryWay(`\`\`\`json\n${LIST_SRC}\n\`\``).text).toBe('');
  });
});
