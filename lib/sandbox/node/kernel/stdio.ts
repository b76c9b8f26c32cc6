import { read, writeSync } from 'node:fs';
import { lengthOf, slice, uncurried } from '#lib/sandbox/kernel/primordials.ts';

const STDIN = 0;
const STDOUT = 1;

/** The number of bytes that are read at once. */
const CHUNK_BYTES = 65_536;

/** The pause before the next try to write to a full pipe, in milliseconds. */
const FULL_PIPE_MS = 1;

const Bytes = Uint8Array;
// Not imported: the module `node:process` would open streams for the pipes, and reading them would not wait any more.
const { pid } = process;
const kill = process.kill.bind(process);
const exit = process.exit.bind(process);
const encode = TextEncoder.prototype.encode.bind(new TextEncoder());
const decode = TextDecoder.prototype.decode.bind(new TextDecoder());
const indexOf = uncurried(String.prototype.indexOf);
const { wait } = Atomics;
const neverChanged = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes a line to stdout, and returns only when all of it is in the pipe, so that code that never ends cannot hold its output
 * back. Ends the process if nobody reads the pipe any more.
 */
export function writeLine(line: string): void {
  const bytes = encode(`${line}\n`);
  const length = lengthOf(bytes);
  let at = 0;
  while (at < length) {
    try {
      at += writeSync(STDOUT, bytes, at, length - at);
    } catch (error) {
      if (!isBusy(error)) end();
      wait(neverChanged, 0, 0, FULL_PIPE_MS);
    }
  }
}

/** Calls a function with each line from stdin. Ends the process when stdin does. */
export function readLines(onLine: (line: string) => void): void {
  const buffer = new ArrayBuffer(CHUNK_BYTES);
  const chunk = new Bytes(buffer);
  let rest = '';

  const take = (text: string) => {
    let from = 0;
    for (let end = indexOf(text, '\n'); end !== -1; end = indexOf(text, '\n', from)) {
      const line = rest + slice(text, from, end);
      rest = '';
      from = end + 1;
      onLine(line);
    }
    rest += slice(text, from);
  };

  const next = () => {
    read(STDIN, chunk, 0, CHUNK_BYTES, null, (error, count) => {
      if (error !== null || count === 0) end();
      take(decode(new Bytes(buffer, 0, count), { stream: true }));
      next();
    });
  };
  next();
}

/**
 * Ends the process at once by SIGKILL: `exit` would first wait for what is being read from stdin. Only an init process, which
 * the signal does not end, reaches `exit`.
 */
function end(): void {
  kill(pid, 'SIGKILL');
  exit(1);
}

const isBusy = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EAGAIN';
