import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** The values in the lines of a file, with the lines' numbers from 1, and the lines that could not be read. */
interface ReadLines {
  lines: readonly { value: unknown; number: number }[];
  /** The numbers of lines that are not JSON, from 1. */
  broken: readonly number[];
  /** Whether the last line was cut off, as by a process that was killed while it wrote. */
  isCut: boolean;
}

/**
 * A file with a JSON value in each line, to which lines are only ever added. What `append` has written survives the end
 * of the process at any moment: at worst, the last line is cut off. A file that is deleted while it is in use is written
 * again by the next `append`. Methods throw Node's errors.
 */
export class JsonLinesFile {
  readonly path: string;
  #fd: number | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /**
   * All values with the numbers of their lines, counted from 1; none if there is no file. `broken`: the numbers of lines that
   * are not JSON. `isCut`: whether the last line was cut off.
   */
  read(): ReadLines {
    let bytes: Buffer;
    try {
      bytes = readFileSync(this.path);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
        return { lines: [], broken: [], isCut: false };
      throw error;
    }
    return readJsonLines(bytes);
  }

  /** The size of the file in bytes; 0 if there is none. */
  get size(): number {
    return statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /**
   * Adds a line for each value, all at once, and waits until they are on disk. A last line that was cut off is ended first. If
   * writing fails, for example because the disk is full, the file is as before.
   */
  append(values: readonly unknown[]): void {
    if (values.length === 0) return;
    const fd = this.#open();
    const { size } = fstatSync(fd);
    const text = values.map((value) => `${JSON.stringify(value)}\n`).join('');
    try {
      writeAll(fd, Buffer.from(endsLine(fd) ? text : `\n${text}`));
      fsyncSync(fd);
    } catch (error) {
      ftruncateSync(fd, size);
      throw error;
    }
  }

  /** Removes a last line that was cut off. Nobody else may be writing. */
  dropCutLine(): void {
    const fd = this.#open();
    if (endsLine(fd)) return;
    const bytes = readFileSync(this.path);
    ftruncateSync(fd, bytes.lastIndexOf(10) + 1);
    fsyncSync(fd);
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #open(): number {
    if (this.#fd !== undefined) {
      const there = statSync(this.path, { throwIfNoEntry: false });
      if (there === undefined) this.#restore(this.#fd);
      // Another process has put another file in its place.
      else if (there.ino !== fstatSync(this.#fd).ino) this.close();
    }
    this.#fd ??= openSync(this.path, 'a+', 0o600);
    return this.#fd;
  }

  /** Writes a file again that was deleted while it was open. `deleted`: its descriptor. */
  #restore(deleted: number): void {
    const bytes = Buffer.alloc(fstatSync(deleted).size);
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(deleted, bytes, at, bytes.length - at, at);
      if (read === 0) break;
      at += read;
    }
    mkdirSync(dirname(this.path), { recursive: true });
    const fd = openSync(this.path, 'ax+', 0o600);
    writeAll(fd, bytes);
    closeSync(deleted);
    this.#fd = fd;
  }
}

/** The mark with which some editors begin UTF-8 text. */
const MARK = Buffer.from('\ufeff');

/** Reads UTF-8 text with a JSON value in each line. The text may be longer than a string can be. */
function readJsonLines(bytes: Buffer): ReadLines {
  const lines: { value: unknown; number: number }[] = [];
  const broken: number[] = [];
  let number = 0;
  let isCut = false;
  // Some editors put a mark in front.
  for (let from = bytes.subarray(0, 3).equals(MARK) ? 3 : 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from);
    const line = bytes.toString('utf8', from, end === -1 ? bytes.length : end);
    number++;
    from = end === -1 ? bytes.length : end + 1;
    if (line.trim() === '') continue;
    try {
      lines.push({ value: JSON.parse(line), number });
    } catch {
      broken.push(number);
      // A last line that is complete but for its end is not lost.
      isCut = end === -1;
    }
  }
  return { lines, broken, isCut };
}

function endsLine(fd: number): boolean {
  const { size } = fstatSync(fd);
  const last = Buffer.alloc(1);
  return size === 0 || (readSync(fd, last, 0, 1, size - 1) === 1 && last[0] === 10);
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}
