import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { StringDecoder } from 'node:string_decoder';
import {
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  METHOD_NOT_FOUND,
  ReadBuffer,
  type RequestId,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { endProcess, endWithUs } from '#lib/confinement/end-process.ts';
import { WholeLines, withExactIntegers } from '#lib/sources/mcp/exact-numbers.ts';
import { ErrorLines } from './error-lines.ts';
import { PROGRAM_LIMITS } from './limits.ts';
import { ProgramError, type ServerProgram } from './server-program.ts';

/**
 * The connection to a tool server that is a program, by its standard input and output. The program leads a process group,
 * which is ended when the program ends, the connection is closed, or this process ends.
 *
 * Programs that know only an earlier version of the protocol may end, or say nothing, when they are asked for the current
 * one. The transport then answers that question in their place, with an error that says that they do not know it. A program
 * that has ended because of the question is started again with the next message.
 */
export class ProgramTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #program: ServerProgram;
  readonly #onErrorLine: (line: string) => void;
  #child: ChildProcessWithoutNullStreams | undefined;
  /**
   * The pending request `server/discover`, which asks for the version of the protocol; undefined once it has an answer, or
   * another message has been sent after it. `timer` fires when the program has been silent for too long.
   */
  #probe: { id: RequestId; timer: NodeJS.Timeout } | undefined;
  #starting: Promise<void> | undefined;
  #problem: string | undefined;
  #isClosed = false;

  /** `onErrorLine`: gets each line that the program writes to its standard error. */
  constructor(program: ServerProgram, onErrorLine: (line: string) => void = () => undefined) {
    this.#program = program;
    this.#onErrorLine = onErrorLine;
  }

  /** The reason why the program failed or ended, as a sentence for people; undefined while it runs, and if `close` ended it. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Starts the program. Rejects with `ProgramError`. */
  start(): Promise<void> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /**
   * Sends a message to the program, which is started if it does not run. Rejects with `ProgramError` if the program cannot be
   * started, has ended, or does not read its input.
   */
  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#isClosed) await this.start();
    const child = this.#child;
    if (child === undefined) throw new ProgramError(this.#problem ?? CLOSED);
    const text = serializeMessage(message);
    if (child.stdin.writableLength + Buffer.byteLength(text) > PROGRAM_LIMITS.messageBytes)
      throw new ProgramError('The server’s program isn’t reading its input, or can’t keep up with it.');
    if (isJSONRPCRequest(message) && message.method === 'server/discover') this.#beginProbe(message.id);
    else this.#endProbe();
    // When the program ends, this is called, too.
    await new Promise((resolve) => child.stdin.write(text, resolve));
  }

  /** Ends the program, with everything in its group. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#finish(undefined);
    if (child === undefined || hasExited(child)) return;
    const exited = once(child, 'exit');
    child.stdin.end();
    endProcess(child);
    await exited;
  }

  async #start(): Promise<void> {
    const { command, args, env, cwd } = this.#program;
    const child = spawn(command, args, {
      cwd,
      env: env as NodeJS.ProcessEnv,
      stdio: 'pipe' as const,
      windowsHide: true,
      // As the leader of a group, it can be ended with what it has started.
      detached: process.platform !== 'win32',
    });
    // A closed input shows by the end of the program.
    for (const stream of child.stdio) stream?.on('error', () => undefined);
    try {
      await once(child, 'spawn');
    } catch (error) {
      const problem = notStarted(error instanceof Error && 'code' in error ? String(error.code) : String(error));
      this.#finish(problem);
      throw new ProgramError(problem);
    }
    // An error of a running program means that it could not be signalled; its end is noticed anyway.
    child.on('error', () => undefined);
    endWithUs(child);
    if (this.#isClosed) {
      endProcess(child);
      throw new ProgramError(CLOSED);
    }
    this.#child = child;
    this.#listen(child);
  }

  #listen(child: ChildProcessWithoutNullStreams): void {
    const buffer = new ReadBuffer({ maxBufferSize: PROGRAM_LIMITS.messageBytes });
    const decoder = new StringDecoder('utf8');
    const lines = new WholeLines();
    child.stdout.on('data', (data: Buffer) => {
      if (this.#child !== child) return;
      try {
        const whole = lines.push(decoder.write(data));
        const isTooLong = lines.waiting > PROGRAM_LIMITS.messageBytes;
        buffer.append(Buffer.from(isTooLong ? whole + lines.rest() : whole.replace(/[^\r\n]+/g, withExactIntegers)));
      } catch {
        endProcess(child, { atOnce: true });
        this.#finish(`The server’s program was ended: its message has more than ${PROGRAM_LIMITS.messageBytes} bytes.`);
        return;
      }
      this.#readAll(buffer);
    });
    const errorLines = new ErrorLines(this.#onErrorLine);
    child.stderr.on('data', (data: Buffer) => errorLines.push(data));
    child.once('exit', (code, signal) => {
      // The processes that it left behind must not go on without it, nor keep its output open.
      endProcess(child, { atOnce: true });
      const late = setTimeout(() => {
        for (const stream of [child.stdout, child.stderr]) stream.destroy();
      }, PROGRAM_LIMITS.lastMessagesMs);
      child.once('close', () => {
        clearTimeout(late);
        errorLines.end();
        if (this.#child === child) this.#onEnd(signal === null ? `exit code ${code}` : `signal ${signal}`);
      });
    });
  }

  #readAll(buffer: ReadBuffer): void {
    for (;;)
      try {
        // Lines that are no JSON are passed over.
        const message = buffer.readMessage();
        if (message === null) return;
        if (isJSONRPCResponse(message) && message.id === this.#probe?.id) this.#endProbe();
        this.onmessage?.(message);
      } catch (error) {
        this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      }
  }

  #onEnd(how: string): void {
    if (this.#probe === undefined) {
      this.#finish(`The server’s program ended (${how}).`);
      return;
    }
    // It has met only the question for the version, so it gets another chance.
    this.#child = undefined;
    this.#starting = undefined;
    this.#answerProbe();
  }

  #beginProbe(id: RequestId): void {
    this.#endProbe();
    this.#probe = { id, timer: setTimeout(() => this.#answerProbe(), PROGRAM_LIMITS.probeMs) };
  }

  #answerProbe(): void {
    const id = this.#probe?.id;
    this.#endProbe();
    const error = { code: METHOD_NOT_FOUND, message: 'The server does not know server/discover.' };
    if (id !== undefined) this.onmessage?.({ jsonrpc: '2.0', id, error });
  }

  #endProbe(): void {
    clearTimeout(this.#probe?.timer);
    this.#probe = undefined;
  }

  #finish(problem: string | undefined): void {
    this.#endProbe();
    this.#child = undefined;
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#problem = problem;
    this.onclose?.();
  }
}

const CLOSED = 'The connection to the server was closed.';

const hasExited = ({ exitCode, signalCode }: ChildProcessWithoutNullStreams): boolean =>
  exitCode !== null || signalCode !== null;

const notStarted = (code: string): string =>
  code === 'ENOENT'
    ? 'The server’s program, or the folder that it runs in, was not found. Check both, and that the program is installed.'
    : `The server’s program cannot be started (${code}).`;
