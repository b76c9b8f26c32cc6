import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { appendRecord, dropCutLine, readRecords, type TryRecord } from './records.ts';
import { countRows, formatComparison, formatTable } from './table.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'models-'));
  path = join(folder, 'below', 'results.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

const record = (change: Partial<TryRecord> = {}): TryRecord => ({
  model: 'm',
  arm: 'json',
  tools: 'few',
  task: 'tuning/en/read-1',
  number: 1,
  temperature: 0.7,
  maxOutput: 400,
  seed: 1,
  ...change,
});
const right = {
  replies: [
    { text: '', reasoning: '', calls: [], finishReason: 'stop', inputTokens: 300, outputTokens: 9, ms: 2_000 },
    { text: '', reasoning: '', calls: [], finishReason: 'stop', inputTokens: 350, outputTokens: 9, ms: 3_000 },
  ],
  calls: [],
  notices: [],
  answer: '12 eggs',
  isFirstRight: true,
  isAnswered: true,
};

test('records come back, and a try that was played again counts once', () => {
  expect(readRecords(path)).toEqual([]);
  appendRecord(path, record({ error: 'endpoint-error: no', failure: 'refused' }));
  appendRecord(path, record({ played: right }));
  appendRecord(path, record({ number: 2, failure: 'prose' }));
  expect(readRecords(path)).toEqual([record({ played: right }), record({ number: 2, failure: 'prose' })]);
});

test('a line that was cut off is left out, and what follows stays readable', () => {
  appendRecord(path, record());
  appendFileSync(path, '{"model":"m","ar');
  expect(readRecords(path)).toEqual([record()]);
  dropCutLine(path);
  appendRecord(path, record({ number: 2 }));
  expect(readRecords(path)).toEqual([record(), record({ number: 2 })]);
  dropCutLine(path);
  expect(readRecords(path)).toHaveLength(2);
});

test('a file with something else is refused, by its line', () => {
  appendRecord(path, record());
  appendFileSync(path, 'x\n');
  expect(() => readRecords(path)).toThrow('line 2 is not a result');
});

test('counts, intervals and medians', () => {
  const rows = countRows([
    record({ played: right }),
    record({ number: 2, played: { ...right, isAnswered: false }, failure: 'wrong-answer' }),
    record({ number: 3, failure: 'refused', error: 'no' }),
    record({ task: 'tuning/en/none-1', failure: 'needless-call' }),
    record({ arm: 'raw', played: right }),
    record({ task: 'gone', played: right }),
  ]);
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatchObject({
    first: { right: 2, total: 3 },
    conversation: { right: 1, total: 3 },
    needless: { right: 1, total: 1 },
    tokens: 300,
    seconds: 5,
  });
  const table = formatTable(rows);
  expect(table).toContain('| json | few | en | 2/3 (21–94 %) | 1/3 (6–79 %) | 1/1 (21–100 %) | – | 300 | 5 |');
  expect(table).toContain('needless-call 1, wrong-answer 1, refused 1');
  expect(formatComparison(rows, 'json')).toContain(
    'raw against json, few tools, en: first call 1/1 against 2/3, p = 1.0',
  );
});
