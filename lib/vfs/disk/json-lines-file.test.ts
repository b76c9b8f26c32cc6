import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { JsonLinesFile } from './json-lines-file.ts';

let place: string;
let file: JsonLinesFile;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'json-lines-'));
  mkdirSync(join(place, 'log'));
  file = new JsonLinesFile(join(place, 'log', 'a.jsonl'));
  file.append([1, 'two']);
});
afterEach(() => {
  file.close();
  rmSync(place, { recursive: true, force: true });
});

const valuesOf = (one: JsonLinesFile) => one.read().lines.map(({ value }) => value);

describe('a file of JSON lines', () => {
  test('has what was added', () => {
    file.append([{ three: 3 }]);
    expect(readFileSync(file.path, 'utf8')).toBe('1\n"two"\n{"three":3}\n');
  });

  test('says which line was cut off, and goes on after it', () => {
    appendFileSync(file.path, '{"a":');
    expect(file.read()).toMatchObject({ broken: [3], isCut: true });
    file.append([4]);
    expect(file.read()).toMatchObject({ broken: [3], isCut: false });
    expect(valuesOf(file)).toEqual([1, 'two', 4]);
  });

  test('drops only a line that was cut off', () => {
    file.dropCutLine();
    appendFileSync(file.path, '{"a":');
    file.dropCutLine();
    expect(readFileSync(file.path, 'utf8')).toBe('1\n"two"\n');
  });

  test('that is deleted while it is in use is written again', () => {
    rmSync(file.path);
    file.append([3]);
    expect(valuesOf(file)).toEqual([1, 'two', 3]);
    rmSync(join(place, 'log'), { recursive: true });
    file.append([4]);
    expect(valuesOf(file)).toEqual([1, 'two', 3, 4]);
  });

  test('that another process has replaced is gone on with', () => {
    writeFileSync(join(place, 'new'), '"other"\n');
    renameSync(join(place, 'new'), file.path);
    file.append([3]);
    expect(valuesOf(file)).toEqual(['other', 3]);
  });
});
