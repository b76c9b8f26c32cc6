import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';

/** The longest script that is parsed, in characters. */
const SCRIPT_MAX = 200_000;
/** The time limit for parsing a script, in milliseconds. */
const PARSE_TIMEOUT_MS = 2_000;
/** The memory limit of the parser's thread, in megabytes. */
const PARSE_MAX_MB = 256;

/** The time that the parser's thread may take to start, in milliseconds. */
const START_TIMEOUT_MS = 20_000;

/** A request to the parser's thread. `done` becomes 1 when the answer has been sent to `port`. */
export interface ParseRequest {
  script: string;
  port: MessagePort;
  done: Int32Array<SharedArrayBuffer>;
}

let thread: Worker | undefined;

/**
 * Returns the syntax tree of a bash script; undefined if it has a mistake, is too long, or takes too much time or memory.
 * Blocks the calling thread while another one parses, because whatever depends on the tree must not happen before.
 */
export function parseScript(script: string): unknown {
  if (script.length > SCRIPT_MAX) return undefined;
  const isNew = thread === undefined;
  thread ??= startThread();
  if (isNew && ask(thread, ':', START_TIMEOUT_MS) === undefined) return endThread();
  const answer = ask(thread, script, PARSE_TIMEOUT_MS);
  return answer === undefined ? endThread() : answer.ast;
}

function startThread(): Worker {
  const started = new Worker(new URL('./parser-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: PARSE_MAX_MB },
  });
  started.unref();
  // It has run out of memory; whoever waited for it goes on without an answer.
  started.on('error', () => undefined);
  return started;
}

function endThread(): undefined {
  void thread?.terminate();
  thread = undefined;
}

/** Sends a script to the parser's thread, and blocks until the answer is there; undefined if there is none in time. */
function ask(worker: Worker, script: string, timeoutMs: number): { ast?: unknown } | undefined {
  const { port1, port2 } = new MessageChannel();
  const done = new Int32Array(new SharedArrayBuffer(4));
  const request: ParseRequest = { script, port: port2, done };
  worker.postMessage(request, [port2]);
  Atomics.wait(done, 0, 0, timeoutMs);
  const answer: { message: { ast?: unknown } } | undefined = receiveMessageOnPort(port1);
  port1.close();
  return answer?.message;
}
