import type { NodeId, NodeState } from './node-tree.ts';

/** Numbers as offsets from the smallest one, in the smallest type that fits; unchanged if they aren't whole. */
export interface Numbers {
  base: number;
  offsets: Uint8Array | Uint16Array | Uint32Array | Float64Array;
}

/** Numbers in the format of database version 3. */
type PlainNumbers = Numbers['offsets'];

/** Nodes in columns: copying and reading thousands takes a few milliseconds, far less than with individual objects. */
export interface NodeColumns<Column = Numbers> {
  ids: Column;
  parents: Column;
  /** 0 file, 1 directory, 2 symlink. */
  types: Column;
  sizes: Column;
  mtimes: Column;
  modes: Column;
  versions: Column;
  blobs: Column;
  /** Joined with NUL, which no name contains. */
  names: string;
  /** The targets of the symlinks, in order. */
  targets: string[];
}

/** Columns in any format that may be stored. */
export type StoredColumns = NodeColumns | NodeColumns<PlainNumbers>;

/** Entry types; the index is the number that is stored. */
export const TYPES = ['file', 'directory', 'symlink'] as const;

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

export const unpackNumbers = (stored: Numbers | PlainNumbers): Numbers =>
  ArrayBuffer.isView(stored) ? { base: 0, offsets: stored } : stored;

/** Writes `count` nodes into columns, row by row. */
export class NodeWriter {
  readonly #ids: Float64Array;
  readonly #parents: Float64Array;
  readonly #types: Float64Array;
  readonly #sizes: Float64Array;
  readonly #mtimes: Float64Array;
  readonly #modes: Float64Array;
  readonly #versions: Float64Array;
  readonly #blobs: Float64Array;
  readonly #names: string[] = [];
  readonly #targets: string[] = [];
  #row = 0;

  constructor(count: number) {
    this.#ids = new Float64Array(count);
    this.#parents = new Float64Array(count);
    this.#types = new Float64Array(count);
    this.#sizes = new Float64Array(count);
    this.#mtimes = new Float64Array(count);
    this.#modes = new Float64Array(count);
    this.#versions = new Float64Array(count);
    this.#blobs = new Float64Array(count);
  }

  add(id: NodeId, state: NodeState): void {
    const row = this.#row++;
    this.#ids[row] = id;
    this.#parents[row] = state.parent;
    this.#types[row] = TYPES.indexOf(state.type);
    this.#sizes[row] = state.size;
    this.#mtimes[row] = state.mtimeMs;
    this.#modes[row] = state.mode;
    this.#versions[row] = state.version;
    this.#blobs[row] = state.blob;
    this.#names.push(state.name);
    if (state.target !== undefined) this.#targets.push(state.target);
  }

  finish(): NodeColumns {
    return {
      ids: packNumbers(this.#ids),
      parents: packNumbers(this.#parents),
      types: packNumbers(this.#types),
      sizes: packNumbers(this.#sizes),
      mtimes: packNumbers(this.#mtimes),
      modes: packNumbers(this.#modes),
      versions: packNumbers(this.#versions),
      blobs: packNumbers(this.#blobs),
      names: this.#names.join('\0'),
      targets: this.#targets,
    };
  }
}

/** Access to columns by row. */
export class ColumnRows {
  readonly count: number;
  readonly #ids: Numbers;
  readonly #parents: Numbers;
  readonly #types: Numbers;
  readonly #sizes: Numbers;
  readonly #mtimes: Numbers;
  readonly #modes: Numbers;
  readonly #versions: Numbers;
  readonly #blobs: Numbers;
  readonly #names: string[];
  readonly #targets: readonly string[];
  /** The index into `#targets` by row, built when a target is first requested. */
  #links: Map<number, number> | undefined;

  constructor(columns: StoredColumns) {
    this.#ids = unpackNumbers(columns.ids);
    this.#parents = unpackNumbers(columns.parents);
    this.#types = unpackNumbers(columns.types);
    this.#sizes = unpackNumbers(columns.sizes);
    this.#mtimes = unpackNumbers(columns.mtimes);
    this.#modes = unpackNumbers(columns.modes);
    this.#versions = unpackNumbers(columns.versions);
    this.#blobs = unpackNumbers(columns.blobs);
    this.#names = columns.names.split('\0');
    this.#targets = columns.targets;
    this.count = this.#ids.offsets.length;
  }

  id(row: number): NodeId {
    return numberAt(this.#ids, row);
  }

  parent(row: number): NodeId {
    return numberAt(this.#parents, row);
  }

  name(row: number): string {
    return this.#names[row] ?? '';
  }

  state(row: number): NodeState {
    const type = TYPES[numberAt(this.#types, row)] ?? 'file';
    const state = {
      parent: numberAt(this.#parents, row),
      name: this.#names[row] ?? '',
      type,
      size: numberAt(this.#sizes, row),
      mtimeMs: numberAt(this.#mtimes, row),
      mode: numberAt(this.#modes, row),
      version: numberAt(this.#versions, row),
      blob: numberAt(this.#blobs, row),
    };
    return type === 'symlink' ? { ...state, target: this.#target(row) } : state;
  }

  #target(row: number): string {
    if (this.#links === undefined) {
      this.#links = new Map();
      for (let other = 0; other < this.count; other++)
        if (TYPES[numberAt(this.#types, other)] === 'symlink') this.#links.set(other, this.#links.size);
    }
    return this.#targets[this.#links.get(row) ?? -1] ?? '';
  }
}

/** Reads columns row by row. */
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

  /** The next row if it belongs to this node, otherwise null. Ids must come in row order; some may have no row. */
  of(id: NodeId): NodeState | null {
    return this.id === id ? this.next() : null;
  }

  next(): NodeState {
    return this.#rows.state(this.#next++);
  }
}

const numberAt = ({ base, offsets }: Numbers, row: number): number => base + (offsets[row] ?? 0);
