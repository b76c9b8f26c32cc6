import { describe, expect, test } from 'vitest';
import { FACTS_MAX, factsIn, formatFact, latestFacts, missingFacts } from './facts.ts';

describe('facts in a text', () => {
  test.each([
    ['port = 5433', ['port', '5433']],
    ['- api.base-url = https://example.org/v1?a=b', ['api.base-url', 'https://example.org/v1?a=b']],
    ['* **Max retries** = 3', ['Max retries', '3']],
    ['2. `node_version` = `24.1.0`', ['node_version', '`24.1.0`']],
    ['glob = **/*.ts', ['glob', '**/*.ts']],
    ['command = echo "hi"', ['command', 'echo "hi"']],
    ['端口 = 5433', ['端口', '5433']],
  ])('%s', (text, [key, value]) => {
    expect(factsIn(text)).toEqual([{ key, value }]);
  });

  test.each([
    ['const port = 5433;'],
    ['let x = 1'],
    ['if a == b'],
    ['total = sum('],
    ['```js\nport = 5433\n```'],
    ['~~~\nport = 5433\n~~~'],
    ['The port is 5433.'],
    ['= 5'],
    [`${'x'.repeat(70)} = 5`],
  ])('not %s', (text) => {
    expect(factsIn(text)).toEqual([]);
  });
});

describe('the facts to keep', () => {
  test('are those of the summary and of what followed, the latest of each key', () => {
    expect(latestFacts('port = 1\nhost = a', ['Port = 2', 'color = red'])).toEqual([
      { key: 'host', value: 'a' },
      { key: 'Port', value: '2' },
      { key: 'color', value: 'red' },
    ]);
  });

  test('are not those of data, but a summary may list as many', () => {
    const many = Array.from({ length: 60 }, (_, n) => `key ${n} = ${n}`).join('\n');
    expect(latestFacts('', [many])).toEqual([]);
    expect(latestFacts(many, [])).toHaveLength(60);
    const more = Array.from({ length: 300 }, (_, n) => `key ${n} = ${n}`).join('\n');
    expect(latestFacts(more, [])).toHaveLength(FACTS_MAX);
  });

  test('are missing if they are dropped, renamed or changed, but not if they are only written differently', () => {
    const facts = latestFacts('port = 5433\nhost = db1', []);
    expect(missingFacts(facts.map(formatFact).join('\n'), facts)).toEqual([]);
    expect(missingFacts('* **Port** = 5433\n* HOST = db1', facts)).toEqual([]);
    expect(missingFacts('db port = 5433\nhost = db2', facts)).toEqual(facts);
  });

  test.each(['*', '"SELECT 1;"', '"a, b,"', '"= 5"', '`x`', '**bold**', 'a = b', "'", '5.', '“q”'])(
    'can be copied as they are, or are not asked for: %s',
    (value) => {
      const facts = latestFacts('', [`key = ${value}`]);
      expect(missingFacts(facts.map(formatFact).join('\n'), facts)).toEqual([]);
    },
  );

  test('are no secrets', () => {
    const texts = [
      'api key = sk-1',
      'OPENAI_API_KEY = sk-2',
      'password = p',
      'github token = t',
      'monkey = m',
      'keyboard = k',
    ];
    expect(latestFacts('', texts).map(({ key }) => key)).toEqual(['monkey', 'keyboard']);
  });
});
