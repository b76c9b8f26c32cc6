import { describe, expect, test } from 'vitest';
import { NodeRows, NodeWriter, packNumbers, unpackNumbers } from './node-columns.ts';
import type { NodeState } from './node-tree.ts';

function roundTrip(values: readonly number[]): number[] {
  const { base, offsets } = unpackNumbers(packNumbers(Float64Array.from(values)));
  return Array.from(offsets, (offset) => base + offset);
}

describe('numbers', () => {
  test.each<[string, number[], { new (length: number): ArrayLike<number> }]>([
    ['none', [], Uint8Array],
    ['all the same', [420, 420, 420], Uint8Array],
    ['close together, far from zero', [2 ** 52 + 255, 2 ** 52, 2 ** 52 + 7], Uint8Array],
    ['hundreds apart', [1000, 1256], Uint16Array],
    ['millions apart', [-5, 2 ** 31, 0], Uint32Array],
    ['further apart than 32 bits', [0, 2 ** 32], Float64Array],
    ['fractions', [1234.5, 1235], Float64Array],
    ['with the same fraction', [0.5, 1.5], Uint8Array],
    ['ids of many commits', [2 ** 21 + 1, 900 * 2 ** 21 + 3], Uint32Array],
    ['infinite', [0, Number.POSITIVE_INFINITY], Float64Array],
    ['with NaN at the start', [Number.NaN, 1, Number.NaN], Float64Array],
    ['with one NaN', [1, Number.NaN], Float64Array],
    ['with a sign', [-1, 0, 1], Uint8Array],
  ])('%s are decoded unchanged and take few bytes', (_, values, kind) => {
    expect(roundTrip(values)).toEqual(values);
    expect(packNumbers(Float64Array.from(values)).offsets).toBeInstanceOf(kind);
  });

  test('in the format of version 3', () => {
    expect(unpackNumbers(Uint16Array.of(1, 2))).toEqual({ base: 0, offsets: Uint16Array.of(1, 2) });
  });
});

describe('nodes', () => {
  const file: NodeState = {
    parent: 0,
    name: 'f',
    type: 'file',
    size: 3,
    mtimeMs: 1.5,
    mode: 0o644,
    version: 7,
    blob: 9,
  };
  const nodes: [number, NodeState][] = [
    [5, file],
    [2, { ...file, name: '日本語', type: 'directory', size: 0, blob: 0 }],
    [9, { ...file, name: 'link', type: 'symlink', target: 'to/nul?' }],
    [3, { ...file, name: 'other', type: 'symlink', target: '' }],
  ];
  const write = (rows: readonly [number, NodeState][]) => {
    const writer = new NodeWriter(rows.length);
    for (const [id, state] of rows) writer.add(id, state);
    return writer.finish();
  };

  test('come back in order', () => {
    const rows = new NodeRows(write(nodes));
    const read: [number, NodeState][] = [];
    for (let { id } = rows; id !== undefined; { id } = rows) read.push([id, rows.next()]);
    expect(read).toEqual(nodes);
  });

  test('can be empty', () => {
    expect(new NodeRows(write([])).id).toBeUndefined();
  });

  test('that exist for only some ids are null for the others', () => {
    const rows = new NodeRows(write(nodes));
    expect([4, 5, 2, 8, 9, 3, 1].map((id) => rows.of(id)?.name ?? null)).toEqual([
      null,
      'f',
      '日本語',
      null,
      'link',
      'other',
      null,
    ]);
  });
});
