import type { StudioChunk } from '#lib/messages/chunk.ts';

/** Maximum text length of one event that combines several deltas, in characters. */
const EVENT_MAX_CHARACTERS = 64_000;

/** The memory that a string takes besides its characters, in bytes, roughly as in V8. */
const STRING_BYTES = 24;
/** The memory that a chunk takes besides its text, in bytes, roughly as in V8. */
const CHUNK_BYTES = 100;

type DeltaType = 'text-delta' | 'reasoning-delta' | 'tool-input-delta';

/** A chunk that contains only a piece of text. */
interface Delta {
  type: DeltaType;
  id: string;
  delta: string;
}

/** Consecutive chunks of a log, starting at number `first`. */
interface Segment {
  readonly first: number;
  readonly count: number;
  /** The segment's memory usage in bytes. */
  readonly bytes: number;
  /**
   * Returns the segment's chunks from number `from` on as one event, or as many of them as fit in it. `data`: the event's data.
   * `last`: the number of the last chunk in it.
   */
  event(from: number): { last: number; data: string };
  /** Returns one chunk in JSON. */
  chunk(number: number): string;
  /** Must be called when no more chunks will be added: stores the segment compactly. */
  close(): void;
}

/**
 * Keeps the chunks of a run, numbered from 0. Consecutive deltas (chunks with a piece of the same text) are stored as one
 * text with the end offset of each. A reader can still start at any delta, and gets the existing ones as one event. An event
 * has the number of its last chunk.
 */
export class ChunkLog {
  #segments: Segment[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Approximate memory usage in bytes. */
  get bytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  push(chunk: StudioChunk): void {
    const delta = asDelta(chunk);
    const last = this.#segments.at(-1);
    if (delta !== undefined && last instanceof DeltaSegment && last.takes(delta)) last.push(delta.delta);
    else {
      last?.close();
      this.#segments.push(
        delta === undefined ? new ChunkSegment(this.#length, chunk) : new DeltaSegment(this.#length, delta),
      );
    }
    this.#length++;
  }

  /** Notes that no chunk follows, so that what is kept takes less memory. */
  close(): void {
    this.#segments.at(-1)?.close();
  }

  /** The existing chunks from a number on, in JSON: each by itself, unlike in events. */
  chunksFrom(from: number): { number: number; data: string }[] {
    const chunks: { number: number; data: string }[] = [];
    let at = this.#segments.findLastIndex(({ first }) => first <= from);
    for (let number = from; number < this.#length; number++) {
      const segment = this.#segments[at];
      if (segment === undefined) break;
      chunks.push({ number, data: segment.chunk(number) });
      if (number + 1 >= segment.first + segment.count) at++;
    }
    return chunks;
  }

  /** The existing chunks from a number on, as server-sent events. */
  eventsFrom(from: number): string {
    const events: string[] = [];
    let at = this.#segments.findLastIndex(({ first }) => first <= from);
    for (let next = from; next < this.#length; ) {
      const segment = this.#segments[at];
      if (segment === undefined) break;
      const { last, data } = segment.event(next);
      events.push(`id: ${last}\ndata: ${data}\n\n`);
      next = last + 1;
      if (next >= segment.first + segment.count) at++;
    }
    return events.join('');
  }
}

/** A segment that consists of one chunk. */
class ChunkSegment implements Segment {
  readonly first: number;
  readonly count = 1;
  readonly #data: string;

  constructor(first: number, chunk: StudioChunk) {
    this.first = first;
    this.#data = JSON.stringify(chunk);
  }

  get bytes(): number {
    return CHUNK_BYTES + 2 * this.#data.length;
  }

  event(): { last: number; data: string } {
    return { last: this.first, data: this.#data };
  }

  chunk(): string {
    return this.#data;
  }

  close(): void {}
}

/** A segment that consists of consecutive deltas of one text. */
class DeltaSegment implements Segment {
  readonly first: number;
  readonly #head: Omit<Delta, 'delta'>;
  /** The deltas, while more may arrive; empty once `#text` has them. */
  #pieces: string[];
  #length: number;
  /** The whole text; undefined while more deltas may arrive. */
  #text: string | undefined;
  /** The offset in the whole text at which each delta ends. */
  #ends: number[] | Uint32Array;

  constructor(first: number, { delta, ...head }: Delta) {
    this.first = first;
    this.#head = head;
    this.#pieces = [delta];
    this.#length = delta.length;
    this.#ends = [delta.length];
  }

  get count(): number {
    return this.#ends.length;
  }

  get bytes(): number {
    return CHUNK_BYTES + 2 * this.#length + this.count * (this.#text === undefined ? STRING_BYTES + 16 : 4);
  }

  takes({ type, id }: Delta): boolean {
    return this.#text === undefined && type === this.#head.type && id === this.#head.id;
  }

  push(delta: string): void {
    this.#pieces.push(delta);
    this.#length += delta.length;
    (this.#ends as number[]).push(this.#length);
  }

  close(): void {
    if (this.#text !== undefined) return;
    // The round trip through bytes makes a flat string rather than a tree of its pieces.
    this.#text = Buffer.from(this.#pieces.join(''), 'utf16le').toString('utf16le');
    this.#ends = Uint32Array.from(this.#ends);
    this.#pieces = [];
  }

  event(from: number): { last: number; data: string } {
    const start = from - this.first;
    let last = start;
    const begin = this.#ends[start - 1] ?? 0;
    while (last + 1 < this.count && (this.#ends[last + 1] ?? 0) - begin <= EVENT_MAX_CHARACTERS) last++;
    const delta = this.#text?.slice(begin, this.#ends[last]) ?? this.#pieces.slice(start, last + 1).join('');
    return { last: this.first + last, data: JSON.stringify(chunkOf({ ...this.#head, delta })) };
  }

  chunk(number: number): string {
    const index = number - this.first;
    const delta = this.#text?.slice(this.#ends[index - 1] ?? 0, this.#ends[index]) ?? this.#pieces[index] ?? '';
    return JSON.stringify(chunkOf({ ...this.#head, delta }));
  }
}

/** Returns a chunk as a delta; undefined if it is not a delta, or has other fields, too. */
function asDelta(chunk: StudioChunk): Delta | undefined {
  if (Object.keys(chunk).length !== 3) return undefined;
  if (chunk.type === 'text-delta' || chunk.type === 'reasoning-delta')
    return { type: chunk.type, id: chunk.id, delta: chunk.delta };
  if (chunk.type !== 'tool-input-delta') return undefined;
  return { type: chunk.type, id: chunk.toolCallId, delta: chunk.inputTextDelta };
}

const chunkOf = ({ type, id, delta }: Delta): StudioChunk =>
  type === 'tool-input-delta' ? { type, toolCallId: id, inputTextDelta: delta } : { type, id, delta };
