import { describe, expect, test, vi } from 'vitest';
import type { SandboxFiles } from '#lib/tools/capabilities/sandbox.ts';
import type { ToolFailure } from '#lib/tools/core/tool-call.ts';
import { compile } from './compiler/compile.ts';
import type { KernelConnection, KernelListener } from './kernel-connection.ts';
import { CODE_MAX_CHARS, CONSOLE_ENTRIES_MAX } from './limits.ts';
import type { FrameMessage, PageMessage } from './protocol.ts';
import { SandboxSession } from './sandbox-session.ts';

/** A frame that sends the messages the test specifies. */
class FakeFrame implements KernelConnection {
  readonly sent: PageMessage[] = [];
  listener: KernelListener | undefined;
  isClosed = false;
  onRun: (run: number) => void = () => undefined;

  listen(listener: KernelListener): void {
    this.listener = listener;
  }
  send(message: PageMessage): void {
    this.sent.push(message);
    if (message.type === 'run') this.onRun(message.run);
  }
  expectEvaluation(): void {}
  async settled(): Promise<void> {}
  close(): void {
    this.isClosed = true;
  }
  say(message: FrameMessage): void {
    this.listener?.onMessage(message);
  }
}

const text = (of: unknown) => ({ type: 'text', text: String(of) }) as const;
const signal = new AbortController().signal;
const files: SandboxFiles = {
  read: async (path) => `content of ${path}`,
  write: () => Promise.reject(new Error('Not run. No.')),
  list: async () => [],
};
const options = { abortSignal: signal, timeoutMs: 1_000, files };

/** A session whose frames answer each run as specified. */
function open(
  answer: (frame: FakeFrame, run: number) => void = (frame, run) =>
    frame.say({ type: 'outcome', run, value: text(run) }),
) {
  const frames: FakeFrame[] = [];
  const session = new SandboxSession<FakeFrame>({
    async openFrame() {
      const frame = new FakeFrame();
      frame.onRun = (run) => answer(frame, run);
      frames.push(frame);
      return { frame, setting: {} };
    },
    compile: async (source, declared) => compile(source, declared),
  });
  return { session, frames };
}

const failureOf = (evaluation: Promise<unknown>): Promise<ToolFailure> =>
  evaluation.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: ToolFailure) => error,
  );

describe('a sandbox session', () => {
  test('evaluates code sequentially in one frame, and reports when it is new', async () => {
    const { session, frames } = open();
    const outcomes = await Promise.all([session.evaluate('1', options), session.evaluate('2', options)]);
    expect(outcomes).toEqual([
      { value: text(1), console: [], isNewSession: true },
      { value: text(2), console: [] },
    ]);
    expect(frames).toHaveLength(1);
  });

  test('ignores an outcome that no evaluation is waiting for', async () => {
    const { session } = open((frame, run) => {
      frame.say({ type: 'outcome', run: run + 1, value: text('forged') });
      frame.say({ type: 'outcome', run: 0, value: text('forged') });
      frame.say({ type: 'outcome', run, value: text('real') });
    });
    expect((await session.evaluate('1', options)).value).toEqual(text('real'));
  });

  test('code that never ends is stopped with its frame, its output is reported, and the next call starts a new session', async () => {
    const { session, frames } = open((frame, run) => {
      if (run > 1) frame.say({ type: 'outcome', run, value: text('next') });
      else frame.say({ type: 'console', run, level: 'log', values: [text('so far')] });
    });
    const failure = await failureOf(session.evaluate('for(;;);', { ...options, timeoutMs: 20 }));
    expect(failure.code).toBe('timed-out');
    expect(failure.message).toMatch(/^The code ran longer than 0\.02 seconds[\s\S]*\nPrinted so far:\nso far$/);
    expect(frames[0]?.isClosed).toBe(true);
    expect(await session.evaluate('1', options)).toMatchObject({ value: text('next'), isNewSession: true });
  });

  test('Stop and reset end it immediately, and waiting evaluations continue', async () => {
    const { session, frames } = open((frame, run) => {
      if (run > 2) frame.say({ type: 'outcome', run, value: text('after') });
    });
    const stop = new AbortController();
    const stopped = failureOf(session.evaluate('a', { ...options, abortSignal: stop.signal }));
    await vi.waitFor(() => expect(frames[0]?.sent).toHaveLength(1));
    stop.abort();
    expect((await stopped).code).toBe('aborted');
    const reset = failureOf(session.evaluate('b', options));
    const next = session.evaluate('c', options);
    await vi.waitFor(() => expect(frames[1]?.sent).toHaveLength(1));
    session.reset();
    expect((await reset).message).toBe('The session was reset while the code was running.');
    expect((await next).value).toEqual(text('after'));
    expect(frames.map(({ isClosed }) => isClosed)).toEqual([true, true, false]);
  });

  test('a call that was stopped before its turn does not run', async () => {
    const { session, frames } = open();
    expect((await failureOf(session.evaluate('1', { ...options, abortSignal: AbortSignal.abort() }))).code).toBe(
      'aborted',
    );
    expect(frames).toHaveLength(0);
  });

  test('a frame that breaks a rule ends its evaluation with the reason', async () => {
    const { session } = open((frame) => frame.listener?.onEnd('The code sent too many messages.', 'broke-rule'));
    const failure = await failureOf(session.evaluate('1', options));
    expect(failure.message).toBe(
      'The code sent too many messages. The session has ended, and everything declared in it is gone.',
    );
  });

  test('records that a frame has ended while nothing was running, and the next call reports a new session', async () => {
    const { session, frames } = open();
    await session.evaluate('1', options);
    frames[0]?.listener?.onEnd('The browser terminated it.', 'gone');
    expect(session.record.getEntries().at(-1)).toMatchObject({
      type: 'failure',
      text: expect.stringMatching(/^The browser terminated it\. The session has ended/),
    });
    expect(await session.evaluate('2', options)).toMatchObject({ isNewSession: true });
  });

  test('a session restarted by the user is new to the model', async () => {
    const { session } = open();
    await session.evaluate('1', options);
    expect(await session.evaluate('2', options)).not.toHaveProperty('isNewSession');
    session.reset();
    await session.evaluate('3', { ...options, by: 'person' });
    expect(await session.evaluate('4', options)).toMatchObject({ isNewSession: true });
    expect(await session.evaluate('5', options)).not.toHaveProperty('isNewSession');
    expect(session.record.getEntries().filter(({ type }) => type === 'began')).toHaveLength(2);
  });

  test('an error shows the line that it comes from, even in an earlier call', async () => {
    const { session } = open((frame, run) => {
      const place = { run: 1, line: 2 };
      if (run === 1) frame.say({ type: 'outcome', run, value: text(1) });
      else frame.say({ type: 'failure', run, value: { type: 'error', text: 'Error: no' }, isError: true, place });
    });
    await session.evaluate('function f() {\n  throw new Error("no");\n}', options);
    const failure = await failureOf(session.evaluate('f()', options));
    expect(failure.message).toBe('Error: no\n    at line 2 of an earlier call: throw new Error("no");');
  });

  test('code with a syntax error or that is too long does not run', async () => {
    const { session, frames } = open();
    const failure = await failureOf(session.evaluate('let a = 1;\nlet = ;', options));
    expect(failure.message).toMatch(/^SyntaxError: .*\n {4}at line 2, column \d+: let = ;$/);
    const tooLong = await failureOf(session.evaluate('1'.repeat(CODE_MAX_CHARS + 1), options));
    expect(tooLong.message).toContain(`the limit is ${CODE_MAX_CHARS}`);
    expect(frames).toHaveLength(0);
  });

  test('only the running evaluation gets files', async () => {
    const asked = Promise.withResolvers<FakeFrame>();
    const { session } = open((frame, run) => {
      frame.say({ type: 'file', run, request: 1, method: 'read', path: '/a' });
      frame.say({ type: 'file', run, request: 2, method: 'write', path: '/a', text: 'x' });
      frame.say({ type: 'file', run: run + 1, request: 3, method: 'read', path: '/a' });
      setTimeout(() => frame.say({ type: 'outcome', run, value: text(1) }), 5);
      asked.resolve(frame);
    });
    await session.evaluate('1', options);
    const frame = await asked.promise;
    const answers = frame.sent.filter(({ type }) => type === 'answer');
    expect(answers).toHaveLength(3);
    expect(answers).toContainEqual({ type: 'answer', request: 1, value: 'content of /a' });
    expect(answers).toContainEqual({ type: 'answer', request: 2, error: 'Not run. No.' });
    expect(answers).toContainEqual({ type: 'answer', request: 3, error: expect.stringContaining('has ended') });
  });

  test('knows whether code of the model may still be running, until its window is closed', async () => {
    const { session } = open();
    await session.evaluate('1', { ...options, by: 'person' });
    expect(session.hasModelCode).toBe(false);
    await session.evaluate('2', options);
    await session.evaluate('3', { ...options, by: 'person' });
    expect(session.hasModelCode).toBe(true);
    session.reset();
    expect(session.hasModelCode).toBe(false);
    await session.evaluate('4', { ...options, by: 'answer' });
    expect(session.hasModelCode).toBe(true);
  });

  test('time spent asking the user does not count', async () => {
    const { session } = open((frame, run) => {
      frame.say({ type: 'file', run, request: 1, method: 'list', path: '/' });
      frame.send = () => frame.say({ type: 'outcome', run, value: text('answered') });
    });
    const list: SandboxFiles['list'] = async (_path, onWait) => {
      onWait(true);
      await new Promise((resolve) => setTimeout(resolve, 60));
      onWait(false);
      return [];
    };
    const outcome = await session.evaluate('1', { ...options, timeoutMs: 30, files: { ...files, list } });
    expect(outcome.value).toEqual(text('answered'));
  });

  test('the record has the newest events, including what the code tried to access', async () => {
    const line = { level: 'warn', values: [text('printed')] } as const;
    const { session } = open((frame, run) => {
      frame.say({ type: 'console', run, level: line.level, values: [...line.values] });
      frame.say({ type: 'refused', run, directive: 'connect-src', target: 'https://x.example', line: 1 });
      frame.say({ type: 'outcome', run, value: text(1) });
      // A timer in the code that keeps running between evaluations.
      frame.say({ type: 'console', run: 0, level: line.level, values: [...line.values] });
    });
    await session.evaluate('fetch()', { ...options, by: 'person' });
    await failureOf(session.evaluate('let =', options));
    expect(session.record.getEntries()).toMatchObject([
      { type: 'code', by: 'person', code: 'fetch()' },
      { type: 'began' },
      { type: 'printed', line },
      { type: 'refused', refusal: { run: 1, directive: 'connect-src', target: 'https://x.example', line: 1 } },
      { type: 'printed', line },
      { type: 'value', value: text(1) },
      { type: 'code', by: 'model', code: 'let =' },
      { type: 'failure', text: expect.stringMatching(/^SyntaxError/) },
    ]);
    for (let index = 0; index <= CONSOLE_ENTRIES_MAX; index++) session.record.add({ type: 'began' });
    expect(session.record.getEntries()).toHaveLength(CONSOLE_ENTRIES_MAX);
  });

  test('declarations are sent to the frame once per session', async () => {
    const { session, frames } = open();
    await session.evaluate('let a = 1', options);
    await session.evaluate('var a = 2', options);
    session.reset();
    await session.evaluate('var a = 2', options);
    const sent = frames.flatMap((frame) =>
      frame.sent.flatMap((message) => (message.type === 'run' ? message.code : [])),
    );
    expect(sent[1]).not.toContain('var');
    expect(sent[2]).toBe('var a = 2');
  });
});
