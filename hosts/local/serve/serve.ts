import { once } from 'node:events';
import type * as z from 'zod';
import { toDotPath } from 'zod/v4/core';
import { messageOf } from '#lib/base/message-of.ts';
import type { Arguments } from '../cli/arguments.ts';
import { EXIT, STOP_SIGNALS } from '../cli/exit-codes.ts';
import { PENDING_MAX_BYTES, REQUEST_BYTES, REQUEST_MAX_BYTES } from '../limits.ts';
import { LineReader } from './line-reader.ts';
import {
  callParamsSchema,
  cancelParamsSchema,
  describeResult,
  describeTool,
  type RequestErrorCode,
  requestSchema,
} from './protocol.ts';
import { ToolService } from './tool-service.ts';

/**
 * Serves the tools on standard input and output, with one JSON request or answer in each line, until the input ends or a
 * signal stops the program, and everything has been answered. Resolves with the exit code.
 */
export async function serve(given: Arguments, directory: string): Promise<number> {
  const { stdin, stdout } = process;
  const service = await ToolService.open(given, directory);
  // The program that reads the output may be gone.
  stdout.on('error', () => process.exit(EXIT.failed));
  const server = new ToolServer(service, (message) => stdout.write(`${JSON.stringify(message)}\n`));
  const onSignal = () => {
    if (server.isStopped) process.exit(EXIT.stopped);
    server.stop();
    stdin.destroy();
  };
  for (const name of STOP_SIGNALS) process.on(name, onSignal);
  const reader = new LineReader(
    REQUEST_MAX_BYTES,
    (line) => server.receive(line),
    (bytes) => server.refuse(bytes),
  );
  try {
    for await (const data of stdin) {
      reader.push(data as Buffer);
      await server.room();
      // A client that sends without reading the answers has to wait.
      if (stdout.writableNeedDrain && !server.isStopped) await once(stdout, 'drain');
    }
    reader.end();
  } catch (error) {
    // A stream that is destroyed has ended early.
    if (!server.isStopped) throw error;
  } finally {
    await server.idle();
    await service.close();
    for (const name of STOP_SIGNALS) process.off(name, onSignal);
  }
  return server.isStopped ? EXIT.stopped : EXIT.done;
}

/** Answers requests, one in each line. Only messages of the protocol are written. */
class ToolServer {
  readonly #service: ToolService;
  readonly #write: (message: object) => boolean;
  /** The controllers with which calls that run or wait are aborted, by the ids of the calls as JSON. */
  readonly #calls = new Map<string, AbortController>();
  readonly #running = new Set<Promise<void>>();
  /** The size of the requests that run or wait, in bytes. */
  #pendingBytes = 0;
  #isStopped = false;
  readonly #unsubscribe: () => void;

  constructor(service: ToolService, write: (message: object) => boolean) {
    this.#service = service;
    this.#write = write;
    this.#unsubscribe = service.subscribe(() => write({ method: 'tools_changed', params: {} }));
  }

  /** Whether the process was asked to end. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Reads a line as a request, and begins to answer it. Never throws: the client gets faults as answers. */
  receive(line: string): void {
    try {
      this.#receive(line);
    } catch (error) {
      const reason = messageOf(error);
      this.#fail(null, 'invalid-request', `The request could not be read: ${reason}`);
    }
  }

  #receive(line: string): void {
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch (error) {
      this.#fail(null, 'parse-error', `The line is not valid JSON: ${messageOf(error)}`);
      return;
    }
    const given = idOf(json);
    if (typeof given === 'number' && Math.abs(given) > Number.MAX_SAFE_INTEGER) {
      this.#fail(null, 'invalid-request', 'The id is a number that is too large to be answered exactly. Use a text.');
      return;
    }
    const parsed = requestSchema.safeParse(json);
    if (!parsed.success) {
      this.#fail(idOf(json), 'invalid-request', `The request is not valid. ${faultsOf(parsed.error)}`);
      return;
    }
    const { id, method, params } = parsed.data;
    switch (method) {
      case 'list_tools':
        this.#list(id);
        break;
      case 'call_tool':
        this.#call(id, params ?? {}, line.length + REQUEST_BYTES);
        break;
      case 'cancel':
        this.#cancel(id, params ?? {});
        break;
      default:
        this.#fail(
          id,
          'unknown-method',
          `There is no method "${method}". The methods are: list_tools, call_tool, cancel.`,
        );
    }
  }

  /** Answers a line that was too long to be read. */
  refuse(bytes: number): void {
    this.#fail(
      null,
      'line-too-long',
      `The line has ${bytes} bytes; the limit is ${REQUEST_MAX_BYTES}. Send less at once.`,
    );
  }

  /** Resolves when there is room for more requests. */
  async room(): Promise<void> {
    while (this.#pendingBytes >= PENDING_MAX_BYTES) await Promise.race(this.#running);
  }

  /** Aborts all calls, including those that begin later. */
  stop(): void {
    this.#isStopped = true;
    // Not by one signal for all: it would remember each call until the next large collection of garbage.
    for (const call of this.#calls.values()) call.abort();
  }

  /** Resolves when all requests have been answered. Changes of tools are then no longer reported. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
    this.#unsubscribe();
  }

  #list(id: unknown): void {
    const task = this.#service
      .list()
      .then(
        (tools) => void this.#write({ id, result: { tools: tools.map(describeTool) } }),
        (error: unknown) => this.#fail(id, 'internal', messageOf(error)),
      )
      .finally(() => this.#running.delete(task));
    this.#running.add(task);
  }

  #call(id: unknown, params: object, bytes: number): void {
    const parsed = callParamsSchema.safeParse(params);
    if (!parsed.success) {
      this.#fail(id, 'invalid-params', `call_tool: ${faultsOf(parsed.error)}`);
      return;
    }
    const key = JSON.stringify(id);
    if (this.#calls.has(key)) {
      this.#fail(id, 'duplicate-id', 'A call with this id has not been answered yet. Use another id.');
      return;
    }
    const { name, input = {}, progress = false } = parsed.data;
    const ending = new AbortController();
    this.#calls.set(key, ending);
    if (this.isStopped) ending.abort();
    const task = this.#run(id, { name, input, progress }, ending.signal).finally(() => {
      this.#calls.delete(key);
      this.#running.delete(task);
      this.#pendingBytes -= bytes;
    });
    this.#running.add(task);
    this.#pendingBytes += bytes;
  }

  async #run(
    id: unknown,
    { name, input, progress }: { name: string; input: unknown; progress: boolean },
    stop: AbortSignal,
  ): Promise<void> {
    let startedAt: number | undefined;
    const onProgress = () => {
      startedAt ??= performance.now();
      this.#write({ method: 'progress', params: { id, elapsed_ms: Math.round(performance.now() - startedAt) } });
    };
    try {
      const result = await this.#service.call(name, input, stop, progress ? onProgress : undefined);
      this.#write({ id, result: describeResult(result) });
    } catch (error) {
      // The executor rejects only if its ledger fails, or the journal.
      this.#fail(id, 'internal', messageOf(error));
    }
  }

  #cancel(id: unknown, params: object): void {
    const parsed = cancelParamsSchema.safeParse(params);
    if (!parsed.success) {
      this.#fail(id, 'invalid-params', `cancel: ${faultsOf(parsed.error)}`);
      return;
    }
    const call = this.#calls.get(JSON.stringify(parsed.data.id));
    call?.abort();
    this.#write({ id, result: { cancelled: call !== undefined } });
  }

  #fail(id: unknown, code: RequestErrorCode, message: string): void {
    this.#write({ id: id ?? null, error: { code, message } });
  }
}

/** The id of JSON that may not be a valid request; null if it has none. */
const idOf = (json: unknown): unknown => (typeof json === 'object' && json !== null && 'id' in json ? json.id : null);

const faultsOf = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => (path.length === 0 ? message : `"${toDotPath(path)}" ${message}.`)).join(' ');
