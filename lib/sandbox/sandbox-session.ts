import { messageOf } from '#lib/base/message-of.ts';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import { NEW_SESSION } from '#lib/tools/browser/browser-js-eval.ts';
import type { JavaScriptOutcome } from '#lib/tools/capabilities/rendered-value.ts';
import { type ConsoleLine, lineText, PRINTED_SO_FAR, valueText } from '#lib/tools/capabilities/rendered-value.ts';
import type {
  EvaluationOptions,
  JavaScriptEvaluator,
  SandboxFetch,
  SandboxFiles,
} from '#lib/tools/capabilities/sandbox.ts';
import { counted } from '#lib/tools/core/counted.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import type { CodeProblem, CompiledCode } from './compiler/compile.ts';
import { ConsoleRecord, type RefusedAccess } from './console-record.ts';
import { Deadline } from './deadline.ts';
import type { Frame } from './frame.ts';
import type { KernelConnection, KernelEnd } from './kernel-connection.ts';
import { CODE_MAX_CHARS } from './limits.ts';
import type { FrameMessage, RunPlace } from './protocol.ts';

/** A frame, or a process, in which code can run, and the properties that each outcome gets from it. */
export interface OpenedFrame<Kernel extends KernelConnection = Frame> {
  frame: Kernel;
  /** The properties of each outcome that say where the code ran. */
  setting: Pick<JavaScriptOutcome, 'hasNoDom' | 'sharesHost' | 'place'>;
}

/** The functions that the window of a previewed page needs besides evaluations. A window for code has none of them. */
export interface PageHooks {
  /** Called with each valid message from the window. */
  onMessage(message: FrameMessage): void;
  /** The window is gone; `stopped`: because an evaluation in it was stopped or took too long. */
  onEnd(reason: string, end: KernelEnd | 'stopped'): void;
  /** A workspace file that the page requests, as an address that it can load. */
  readForPage(path: string): Promise<string>;
  /** A workspace script bundled with all its imports, for a worker. */
  bundleForPage(path: string): Promise<string>;
  /**
   * The source position in the workspace for positions in the page's scripts, such as `/src/App.tsx:3:7`; undefined if none
   * is known.
   */
  describePlace(places: readonly RunPlace[]): string | undefined;
}

/**
 * The functions that a `SandboxSession` needs to run code: `openFrame` opens the window or process for it, and `compile` makes
 * code ready to run, or returns the reason why that is impossible, such as a syntax error, as `problem`. Both reject with the
 * signal's reason if it fires. In a browser, they wait while the studio's server is down. `declared`: the names that earlier
 * evaluations have declared (with `let`, `const`, or `class`), which the code may declare again. The `PageHooks` are present
 * only in the session of a previewed page.
 */
export interface SessionEnvironment<Kernel extends KernelConnection = Frame> extends Partial<PageHooks> {
  openFrame(abortSignal: AbortSignal): Promise<OpenedFrame<Kernel>>;
  compile(
    source: string,
    declared: ReadonlySet<string>,
    abortSignal: AbortSignal,
  ): Promise<CompiledCode | { problem: CodeProblem }>;
}

/** A running evaluation. */
interface Running {
  run: number;
  console: ConsoleLine[];
  files: SandboxFiles;
  fetch: SandboxFetch;
  deadline: Deadline;
  onPrint: EvaluationOptions['onPrint'];
  finish(message: Extract<FrameMessage, { type: 'outcome' | 'failure' }>): void;
  fail(failure: ToolFailure): void;
}

type FileRequest = Extract<FrameMessage, { type: 'file' }>;
type FetchRequest = Extract<FrameMessage, { type: 'fetch' }>;

/** The number of evaluations whose code is kept, so that errors in their functions can show the line. */
const SOURCES_MAX = 50;

/**
 * Runs code in a window, or, on a host without a browser, in a process: one evaluation at a time, each of which continues with
 * what earlier ones have declared. The window is closed if an evaluation is stopped, takes too long, or breaks a rule; the
 * next one starts a new window, but in the session of a page it fails until `use` is called.
 */
export class SandboxSession<Kernel extends KernelConnection = Frame> implements JavaScriptEvaluator {
  /** The record of what ran and what happened, for users. */
  readonly record = new ConsoleRecord();
  readonly #environment: SessionEnvironment<Kernel>;
  #opened: OpenedFrame<Kernel> | undefined;
  /** Whether the start of the open window is on record. */
  #hasBegun = false;
  /**
   * The authors whose evaluations have run in the open window. Unless the window shows a page, the first result for each
   * author says that the session is new.
   */
  readonly #knownTo = new Set<string>();
  readonly #declared = new Set<string>();
  readonly #sources = new Map<number, string>();
  #runs = 0;
  #running: Running | undefined;
  /** The last refusal, until it is reported a second time. */
  #refused: { key: string; at: number } | undefined;
  readonly #queue = new SerialQueue();

  constructor(environment: SessionEnvironment<Kernel>) {
    this.#environment = environment;
  }

  /** Whether an evaluation is running or waiting for its turn. */
  get isBusy(): boolean {
    return this.#queue.isBusy;
  }

  /** Whether code of a model has run in the current window. It may still be running there. */
  get hasModelCode(): boolean {
    return this.#knownTo.has('model') || this.#knownTo.has('answer');
  }

  /** Runs code after all evaluations before it. Rejects with `ToolFailure`, also if the code throws. */
  evaluate(code: string, options: EvaluationOptions): Promise<JavaScriptOutcome> {
    return this.#queue.run(() => this.#evaluate(code, options));
  }

  /** Opens another window, which `use` can then make the current one. Until then, the current one keeps running. */
  prepare(abortSignal: AbortSignal): Promise<OpenedFrame<Kernel>> {
    return this.#environment.openFrame(abortSignal);
  }

  /**
   * Closes the current window, and runs evaluations in the window `opened` from now on. `name`: the path of the page that the
   * window will show.
   */
  use(opened: OpenedFrame<Kernel>, name: string): void {
    this.#end(new ToolFailure('aborted', 'The page was reloaded while the code was running.'));
    this.#listenTo(opened);
    this.#hasBegun = true;
    this.record.add({ type: 'began', name });
  }

  /** Asks the window for a sign of life. If it still responds, `onMessage` gets a `spun` message. */
  ping(): void {
    this.#opened?.frame.send({ type: 'spin', ms: 0 });
  }

  /** Closes the window, even during an evaluation. The next evaluation starts a new one, unless this is a page's session. */
  reset(): void {
    this.#end(new ToolFailure('aborted', 'The session was reset while the code was running.'));
  }

  async #evaluate(code: string, options: EvaluationOptions): Promise<JavaScriptOutcome> {
    const { abortSignal, by = 'model', shown = code } = options;
    if (by !== 'studio') this.record.add({ type: 'code', by: by === 'answer' ? 'model' : by, code: shown });
    if (code.length > CODE_MAX_CHARS) throw new ToolFailure('failed', tooLong(code.length));
    try {
      abortSignal.throwIfAborted();
      const compiled = await this.#environment.compile(code, this.#declared, abortSignal);
      if ('problem' in compiled) throw new ToolFailure('failed', problemText(compiled.problem, code));
      const opened = this.#opened ?? (await this.#begin(abortSignal));
      abortSignal.throwIfAborted();
      return await this.#runIn(opened, code, compiled, options);
    } catch (error) {
      const failure = error instanceof ToolFailure || !abortSignal.aborted ? error : stopped();
      // The record already shows that the session is new.
      if (failure instanceof ToolFailure && by !== 'studio')
        this.record.add({ type: 'failure', text: failure.message.replace(`\n${NEW_SESSION}`, '') });
      throw failure;
    }
  }

  /**
   * Opens a window for the first evaluation. Rejects with `ToolFailure` in the session of a page, whose window exists as long
   * as the page.
   */
  async #begin(abortSignal: AbortSignal): Promise<OpenedFrame<Kernel>> {
    if (this.#environment.onMessage !== undefined) throw new ToolFailure('failed', 'No page is running here.');
    const opened = await this.#environment.openFrame(abortSignal);
    this.#listenTo(opened);
    return opened;
  }

  #listenTo(opened: OpenedFrame<Kernel>): void {
    this.#opened = opened;
    opened.frame.listen({
      onMessage: (message) => this.#receive(opened.frame, message),
      onEnd: (reason, end) => {
        if (opened.frame !== this.#opened?.frame) return;
        // Otherwise, this would not be reported: no evaluation was running.
        if (this.#running === undefined && this.#environment.onEnd === undefined)
          this.record.add({ type: 'failure', text: `${reason} ${SESSION_ENDED}` });
        this.#end(new ToolFailure('failed', `${reason} ${SESSION_ENDED}`));
        this.#environment.onEnd?.(reason, end);
      },
    });
  }

  async #runIn(
    { frame, setting }: OpenedFrame<Kernel>,
    code: string,
    { code: compiled, lexical, variables }: CompiledCode,
    { abortSignal, timeoutMs, files, fetch = noNetwork, by = 'model', onPrint }: EvaluationOptions,
  ): Promise<JavaScriptOutcome> {
    const run = ++this.#runs;
    this.#sources.set(run, code);
    this.#sources.delete(run - SOURCES_MAX);
    if (!this.#hasBegun) this.record.add({ type: 'began' });
    this.#hasBegun = true;
    // A session that the user restarted is new to the model, too. A page exists before anything is run in it.
    const isNew = this.#environment.onMessage === undefined && !this.#knownTo.has(by);
    this.#knownTo.add(by);
    const { promise, resolve, reject } =
      Promise.withResolvers<Extract<FrameMessage, { type: 'outcome' | 'failure' }>>();
    const lines: ConsoleLine[] = [];
    const endWith = (failure: ToolFailure) => {
      this.#end(failure);
      this.#environment.onEnd?.(failure.message, 'stopped');
    };
    const onAbort = () => endWith(stopped());
    const deadline = new Deadline(timeoutMs, () => endWith(timedOut(timeoutMs)));
    this.#running = { run, console: lines, files, fetch, deadline, onPrint, finish: resolve, fail: reject };
    abortSignal.addEventListener('abort', onAbort, { once: true });
    try {
      for (const name of lexical) this.#declared.add(name);
      frame.expectEvaluation();
      frame.send({ type: 'run', run, code: compiled, lexical, variables });
      const message = await promise;
      if (message.type === 'failure') {
        const text = withPrinted(this.#errorText(message), lines);
        throw new ToolFailure('failed', isNew ? `${text}\n${NEW_SESSION}` : text);
      }
      if (by !== 'studio') this.record.add({ type: 'value', value: message.value });
      return {
        value: message.value,
        console: lines,
        ...(isNew && { isNewSession: true }),
        ...setting,
      };
    } finally {
      deadline.stop();
      abortSignal.removeEventListener('abort', onAbort);
      this.#running = undefined;
    }
  }

  #receive(frame: Kernel, message: FrameMessage): void {
    if (frame !== this.#opened?.frame) return;
    const running = this.#running;
    switch (message.type) {
      case 'console':
        this.#print({ level: message.level, values: message.values });
        break;
      case 'uncaught':
        this.#print({ level: 'error', values: [{ type: 'error', text: `Uncaught ${this.#errorText(message)}` }] });
        break;
      case 'outcome':
      case 'failure':
        // Only the running evaluation can have an outcome.
        if (message.run === running?.run) void frame.settled().then(() => running.finish(message));
        break;
      case 'refused': {
        const { type: _, ...refusal } = message;
        this.#noteRefusal(refusal);
        break;
      }
      case 'file':
        void this.#answer(frame, message);
        break;
      case 'fetch':
        void this.#answerFetch(frame, message);
        break;
      default:
        break;
    }
    this.#environment.onMessage?.(message);
  }

  /**
   * Records a refusal once. The frame has its policy twice, in a header and in the document, and both report it, with or
   * without a line.
   */
  #noteRefusal(refusal: RefusedAccess): void {
    const key = `${refusal.run} ${refusal.directive} ${refusal.target}`;
    const at = performance.now();
    const isSecond = this.#refused?.key === key && at - this.#refused.at < REFUSED_TWICE_MS;
    this.#refused = isSecond ? undefined : { key, at };
    if (!isSecond) this.record.add({ type: 'refused', refusal });
  }

  #print(line: ConsoleLine): void {
    this.#running?.console.push(line);
    this.#running?.onPrint?.(line);
    this.record.add({ type: 'printed', line });
  }

  /**
   * Answers a request for a workspace file. Unless a page reads the file, or its evaluation is still running, the answer is
   * an error.
   */
  async #answer(frame: Kernel, { run, request, method, path, text = '' }: FileRequest): Promise<void> {
    const reading = this.#readForPage(method, path);
    if (reading !== undefined) return this.#answerPage(frame, request, reading);
    const running = this.#running;
    if (run !== running?.run || method === 'bundle') {
      frame.send({ type: 'answer', request, error: 'The call that this request belongs to has ended.' });
      return;
    }
    const { files, deadline } = running;
    try {
      const value =
        method === 'write' ? await files.write(path, text, deadline.hold) : await files[method](path, deadline.hold);
      frame.send({ type: 'answer', request, value });
    } catch (error) {
      frame.send({ type: 'answer', request, error: messageOf(error) });
    }
  }

  /** Answers a request to the web. If its evaluation is not running any more, the answer is an error. */
  async #answerFetch(frame: Kernel, { run, request, url, method }: FetchRequest): Promise<void> {
    const running = this.#running;
    if (run !== running?.run) {
      frame.send({ type: 'answer', request, error: 'The call that this request belongs to has ended.' });
      return;
    }
    try {
      frame.send({ type: 'answer', request, value: await running.fetch(url, method, running.deadline.hold) });
    } catch (error) {
      frame.send({ type: 'answer', request, error: messageOf(error) });
    }
  }

  #readForPage(method: FileRequest['method'], path: string): Promise<string> | undefined {
    if (method === 'read') return this.#environment.readForPage?.(path);
    return method === 'bundle' ? this.#environment.bundleForPage?.(path) : undefined;
  }

  async #answerPage(frame: Kernel, request: number, reading: Promise<string>): Promise<void> {
    try {
      frame.send({ type: 'answer', request, value: await reading });
    } catch (error) {
      frame.send({ type: 'answer', request, error: messageOf(error) });
    }
  }

  /** An error such as `TypeError: x is not a function`, with the line of code that it comes from. */
  #errorText({ value, isError, place, at = [] }: Extract<FrameMessage, { type: 'failure' | 'uncaught' }>): string {
    const text = isError ? valueText(value) : `Thrown: ${valueText(value)}`;
    const inPage = this.#environment.describePlace?.(at);
    if (inPage !== undefined) return `${text}\n    at ${inPage}`;
    const source = place === undefined ? undefined : this.#sources.get(place.run)?.split('\n')[place.line - 1];
    if (place === undefined || source === undefined) return text;
    const where = place.run === this.#runs ? '' : ' of an earlier call';
    return `${text}\n    at line ${place.line}${where}: ${excerpt(source)}`;
  }

  #end(failure: ToolFailure): void {
    this.#opened?.frame.close();
    this.#opened = undefined;
    this.#hasBegun = false;
    this.#knownTo.clear();
    this.#declared.clear();
    const running = this.#running;
    this.#running = undefined;
    running?.fail(new ToolFailure(failure.code, withPrinted(failure.message, running.console)));
  }
}

const noNetwork: SandboxFetch = async () => ({ denied: 'There is no network here.' });

const SESSION_ENDED = 'The session has ended, and everything declared in it is gone.';

const stopped = () => new ToolFailure('aborted', 'Stopped by the user while it was running.');

const timedOut = (timeoutMs: number) =>
  new ToolFailure(
    'timed-out',
    `The code ran longer than ${counted(timeoutMs / 1000, 'second')} and was stopped. It may contain an infinite loop, wait for something that never happens, or have run out of memory. ${SESSION_ENDED}`,
  );

const tooLong = (length: number): string =>
  `The code is ${length} characters long; the limit is ${CODE_MAX_CHARS}. Pass data in parts, and keep it in variables.`;

/** A syntax error with its position and its line of code. */
function problemText({ message, line, column }: CodeProblem, code: string): string {
  const source = code.split('\n')[line - 1] ?? '';
  return `SyntaxError: ${message}\n    at line ${line}, column ${column}: ${excerpt(source, column)}`;
}

/** The time within which both policies report the same refusal, in milliseconds. */
const REFUSED_TWICE_MS = 200;

const EXCERPT_CHARACTERS = 200;

/** A line of code, or the part of it around a column. */
function excerpt(source: string, column = 1): string {
  const from = Math.max(0, column - EXCERPT_CHARACTERS / 2);
  return source.slice(from, from + EXCERPT_CHARACTERS).trim();
}

function withPrinted(message: string, lines: readonly ConsoleLine[]): string {
  return lines.length === 0 ? message : `${message}${PRINTED_SO_FAR}${lines.map(lineText).join('\n')}`;
}
