import type { NodeId, NodeState } from './node-tree.ts';

/**
 * A list of numbers in compact form: each is `base`, the smallest one, plus its offset, in the smallest type of array that
 * fits. If they are not all integers, or too far apart for that, `base` is 0, and the offsets are the numbers themselves.
 */
export interface Numbers {
  base: number;
  offsets: Uint8Array | Uint16Array | Uint32Array | Float64Array;
}

/** Numbers in the format of database version 3, without a base. */
type PlainNumbers = Numbers['offsets'];

/** The columns of numbers, in the order in which they are stored. */
const NUMBER_COLUMNS = [
  'ids',
  'parents',
  /** Indexes into `TYPES`. */
  'types',
  'sizes',
  'mtimes',
  'modes',
  'versions',
  'blobs',
] as const;

type NumberColumn = (typeof NUMBER_COLUMNS)[number];

/** One value for each column of numbers. */
type ByColumn<Value> = Record<NumberColumn, Value>;

/**
 * Nodes in columns: a list for each property, with an item for each node. Copying and reading thousands takes a few
 * milliseconds, far less than with an object for each node.
 */
export interface NodeColumns<Column = Numbers> extends ByColumn<Column> {
  /** The names of all nodes, joined with NUL, which no name contains. */
  names: string;
  /** The targets of the symlinks, in the order of their rows. */
  targets: string[];
}

/**
 * Nodes in columns (see `NodeColumns`), in any format that a database may have stored: the current one, or that of database
 * version 3.
 */
export type StoredColumns = NodeColumns | NodeColumns<PlainNumbers>;

/** The types of entries. A type is stored as its index in this list. */
export const TYPES = ['file', 'directory', 'symlink'] as const;

/** Packs numbers into as few bytes as their range allows, without changing any of them. */
export function packNumbers(values: Float64Array): Numbers {
  const plain = { base: 0, offsets: values };
  let least = values[0] ?? 0;
  let most = least;
  // An index loop for speed: this runs thousands of times before the JavaScript engine has optimized it.
  for (let row = 1; row < values.length; row++) {
    const value = values[row] as number;
    if (value < least) least = value;
    else if (value > most) most = value;
    else if (Number.isNaN(value)) return plain;
  }
  const range = most - least;
  if (!(range < 2 ** 32)) return plain;
  const offsets = new (range < 2 ** 8 ? Uint8Array : range < 2 ** 16 ? Uint16Array : Uint32Array)(values.length);
  if (range === 0) return { base: least, offsets };
  for (let row = 0; row < values.length; row++) {
    const offset = (values[row] as number) - least;
    offsets[row] = offset;
    // Not an integer.
    if (offsets[row] !== offset) return plain;
  }
  return { base: least, offsets };
}

/** Converts stored numbers of any format to the current one, in which the number in a row is `base + offsets[row]`. */
export const unpackNumbers = (stored: Numbers | PlainNumbers): Numbers =>
  ArrayBuffer.isView(stored) ? { base: 0, offsets: stored } : stored;

function eachColumn<Value>(make: (column: NumberColumn) => Value): ByColumn<Value> {
  const values: Partial<ByColumn<Value>> = {};
  for (const column of NUMBER_COLUMNS) values[column] = make(column);
  // The list has all of them.
  return values as ByColumn<Value>;
}

/**
 * Writes nodes into columns (`NodeColumns`), one row for each: exactly `count` calls of `add`, then `finish`, which returns
 * them.
 */
export class NodeWriter {
  readonly #numbers: ByColumn<Float64Array>;
  readonly #names: string[] = [];
  readonly #targets: string[] = [];
  #row = 0;

  constructor(count: number) {
    this.#numbers = eachColumn(() => new Float64Array(count));
  }

  add(id: NodeId, state: NodeState): void {
    const { ids, parents, types, sizes, mtimes, modes, versions, blobs } = this.#numbers;
    const row = this.#row++;
    ids[row] = id;
    parents[row] = state.parent;
    types[row] = TYPES.indexOf(state.type);
    sizes[row] = state.size;
    mtimes[row] = state.mtimeMs;
    modes[row] = state.mode;
    versions[row] = state.version;
    blobs[row] = state.blob;
    this.#names.push(state.name);
    if (state.target !== undefined) this.#targets.push(state.target);
  }

  finish(): NodeColumns {
    return {
      ...eachColumn((column) => packNumbers(this.#numbers[column])),
      names: this.#names.join('\0'),
      targets: this.#targets,
    };
  }
}

/** Read access to nodes that are stored in columns, by row, from 0 to `count - 1`. */
export class ColumnRows {
  readonly count: number;
  readonly #numbers: ByColumn<Numbers>;
  readonly #names: string[];
  readonly #targets: readonly string[];
  /** The index into `#targets` by row, built when a target is first requested. */
  #links: Map<number, number> | undefined;

  constructor(columns: StoredColumns) {
    this.#numbers = eachColumn((column) => unpackNumbers(columns[column]));
    this.#names = columns.names.split('\0');
    this.#targets = columns.targets;
    this.count = this.#numbers.ids.offsets.length;
  }

  id(row: number): NodeId {
    return numberAt(this.#numbers.ids, row);
  }

  parent(row: number): NodeId {
    return numberAt(this.#numbers.parents, row);
  }

  name(row: number): string {
    return this.#names[row] ?? '';
  }

  /** The state of the node in a row, as a new object for each call. */
  state(row: number): NodeState {
    const { parents, types, sizes, mtimes, modes, versions, blobs } = this.#numbers;
    const type = TYPES[numberAt(types, row)] ?? 'file';
    const state = {
      parent: numberAt(parents, row),
      name: this.#names[row] ?? '',
      type,
      size: numberAt(sizes, row),
      mtimeMs: numberAt(mtimes, row),
      mode: numberAt(modes, row),
      version: numberAt(versions, row),
      blob: numberAt(blobs, row),
    };
    return type === 'symlink' ? { ...state, target: this.#target(row) } : state;
  }

  #target(row: number): string {
    if (this.#links === undefined) {
      this.#links = new Map();
      for (let other = 0; other < this.count; other++)
        if (TYPES[numberAt(this.#numbers.types, other)] === 'symlink') this.#links.set(other, this.#links.size);
    }
    return this.#targets[this.#links.get(row) ?? -1] ?? '';
  }
}

/** Reads nodes that are stored in columns one after the other, from the first row to the last. */
export class NodeRows {
  readonly #rows: ColumnRows;
  #next = 0;

  constructor(columns: StoredColumns) {
    this.#rows = new ColumnRows(columns);
  }

  /** The id in the next row; undefined after the last one. */
  get id(): NodeId | undefined {
    return this.#next < this.#rows.count ? this.#rows.id(this.#next) : undefined;
  }

  /** The state in the next row if that row has this id, otherwise null. Ids must come in row order; some may have no row. */
  of(id: NodeId): NodeState | null {
    return this.id === id ? this.next() : null;
  }

  /** The state in the next row, of which there must be one. */
  next(): NodeState {
    return this.#rows.state(this.#next++);
  }
}

const numberAt = ({ base, offsets }: Numbers, row: number): number => base + (offsets[row] ?? 0);
