import { beforeEach, expect, test, vi } from 'vitest';
import { Places } from './places.ts';

const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
});

const row = { key: 'm1', index: 0, start: 0, end: 50, size: 50, lane: 0 };

test('a thread that was never left is shown at its end', () => {
  expect(new Places().get('t')).toEqual({ place: 'end', rows: [] });
});

test('a place is kept with the heights of rows, and after a reload without them', () => {
  const before = new Places();
  before.keep('t', { place: { messageId: 'm1', above: 12, height: 50 }, rows: [row] });
  before.keep('u', { place: 'end', rows: [row] });
  expect(before.get('t')).toEqual({ place: { messageId: 'm1', above: 12, height: 50 }, rows: [row] });
  before.store();
  const after = new Places();
  expect(after.get('t')).toEqual({ place: { messageId: 'm1', above: 12, height: 50 }, rows: [] });
  expect(after.get('u')).toEqual({ place: 'end', rows: [] });
});

test('only the latest 100 threads are remembered', () => {
  const places = new Places();
  for (let n = 0; n < 101; n++) places.keep(`t${n}`, { place: { messageId: 'm', above: n, height: 50 }, rows: [] });
  expect(places.get('t0').place).toBe('end');
  expect(places.get('t1').place).toEqual({ messageId: 'm', above: 1, height: 50 });
  expect(places.get('t100').place).toEqual({ messageId: 'm', above: 100, height: 50 });
});

test.each(['not json', '5', '[[1, 2]]', '[["t", null]]', '[["t", {"messageId": 5, "above": 1}]]'])(
  'what someone else stored is ignored: %s',
  (text) => {
    stored.set('roundtrip-studio:places', text);
    expect(new Places().get('t').place).toBe('end');
  },
);
