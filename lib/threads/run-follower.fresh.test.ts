// More than 400 lines: one function and every way in which a connection can break.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { applyChunk } from '#lib/messages/apply-chunk.ts';
import type { StudioChunk } from '#lib/messages/chunk.ts';
import type { AssistantMessage, Message, ToolCallPart, UserMessage } from '#lib/messages/message.ts';
import type { ToolResult } from '#lib/tools/core/tool-call.ts';
import type { ChatRequest, RunSettings } from '#lib/wire/chat.ts';
import type { ThreadStateAnswer } from '#lib/wire/thread-state.ts';
import { type FollowRunOptions, failed, followRun, REPEATS_MAX, withoutUnfinishedStep } from './run-follower.ts';
import { storedStart } from './run-start.ts';
import { type ChunkStream, ConnectionError, ServerProblem, type Transport } from './transport.ts';

/** The behavior of a connection: it is refused, breaks or hangs after some chunks, or delivers everything. */
type Connection = Error | { breaksAfter: number } | { hangsAfter: number } | 'whole';

/** A server with one run. Its connections behave as the test plans, and it logs the requests. */
class FakeServer implements Transport {
  chunks: readonly StudioChunk[] = [];
  state: ThreadStateAnswer | undefined;
  /** The next connections; all later ones deliver everything. */
  plan: Connection[] = [];
  statePlan: Error[] = [];
  readonly log: string[] = [];
  readonly posts: ChatRequest[] = [];

  async post(request: ChatRequest, signal: AbortSignal): Promise<ChunkStream> {
    this.log.push(`post ${request.action.type}`);
    this.posts.push(request);
    return this.#connect(0, signal);
  }

  async attach(threadId: string, runId: string, from: number, signal: AbortSignal): Promise<ChunkStream> {
    this.log.push(`attach ${threadId} ${runId} ${from}`);
    return this.#connect(from, signal);
  }

  async cancel(threadId: string, runId: string | undefined): Promise<void> {
    this.log.push(`cancel ${threadId} ${runId}`);
  }

  async threadState(threadId: string): Promise<ThreadStateAnswer | undefined> {
    this.log.push(`state ${threadId}`);
    const error = this.statePlan.shift();
    if (error !== undefined) throw error;
    return this.state;
  }

  async acknowledge(): Promise<void> {}
  async deleteThread(): Promise<void> {}

  #connect(from: number, signal: AbortSignal): ChunkStream {
    const connection = this.plan.shift() ?? 'whole';
    if (connection instanceof Error) throw connection;
    return this.#stream(from, connection, signal);
  }

  async *#stream(from: number, connection: Exclude<Connection, Error>, signal: AbortSignal): ChunkStream {
    const chunks = this.chunks.slice(from);
    const until =
      connection === 'whole'
        ? chunks.length
        : 'breaksAfter' in connection
          ? connection.breaksAfter
          : connection.hangsAfter;
    for (let at = 0; at < until; at += 2) {
      const end = Math.min(at + 2, until);
      yield { chunks: chunks.slice(at, end), next: from + end };
    }
    if (connection === 'whole') return;
    if ('breaksAfter' in connection) throw new ConnectionError('The connection broke.');
    const { promise, reject } = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => reject(signal.reason));
    await promise;
  }
}

const offline = () => new ConnectionError('Can’t reach the server.');
const problem = (status: number, code: string) => new ServerProblem(status, code, `The server says ${code}.`);

const SETTINGS: RunSettings = { model: 'm', toolCalling: 'auto', toolsets: ['files'], systemPrompt: '' };

const START: StudioChunk = { type: 'start', messageId: 'turn', messageMetadata: { runId: 'run-1' } };
const STEP: StudioChunk = {
  type: 'data-step',
  data: {
    model: 'm',
    provider: 'p',
    promptHash: 'h',
    settings: { systemPrompt: '', toolsets: [], toolCalling: 'native', budgetTokens: 1, lastStep: false },
  },
};
const STEP_END: StudioChunk = {
  type: 'data-step-end',
  data: { finishReason: 'stop', usage: {}, durationMs: 1, notices: [] },
};
const FINISH: StudioChunk = { type: 'finish', messageMetadata: { revision: 'rev-2' } };

const say = (...deltas: string[]): StudioChunk[] => [
  { type: 'text-start', id: 't' },
  ...deltas.map((delta): StudioChunk => ({ type: 'text-delta', id: 't', delta })),
  { type: 'text-end', id: 't' },
];

const call = (toolCallId: string): StudioChunk => ({
  type: 'tool-input-available',
  toolCallId,
  toolName: 'read_file',
  input: { path: '/a' },
});

/** A run of one step that says "One, two, three." */
const ANSWER = [START, STEP, ...say('One, ', 'two, ', 'three.'), STEP_END, FINISH];

const user = (id: string): UserMessage => ({
  id,
  role: 'user',
  createdAt: 1,
  parts: [{ type: 'text', text: 'Hello' }],
});

const turnOf = (change: Partial<AssistantMessage> = {}): AssistantMessage => ({
  id: 'turn',
  role: 'assistant',
  createdAt: 1,
  parts: [],
  status: { type: 'running', runId: 'run-1' },
  ...change,
});

const resultOf = (toolCallId: string): ToolResult => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'read_file',
  output: { content: 'alpha' },
});

/** A turn to which a run has written some chunks. */
const written = (chunks: readonly StudioChunk[], turn = turnOf()): AssistantMessage =>
  chunks.reduce((message, chunk) => applyChunk(message, chunk, 1), turn);

/** The same turn after the browser has answered its calls, before a new run continues it. */
function answered(turn: AssistantMessage, runId: string): AssistantMessage {
  const parts = turn.parts.map((part) =>
    part.type === 'tool-call' ? { ...part, result: resultOf(part.toolCallId) } : part,
  );
  return { ...turn, parts, status: { type: 'running', runId } };
}

const textIn = (turn: AssistantMessage): string =>
  turn.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

const noticesIn = (turn: AssistantMessage) =>
  turn.parts.flatMap((part) => (part.type === 'step' ? [part.notices] : []));

const stepsIn = (turn: AssistantMessage): number => turn.parts.filter(({ type }) => type === 'step').length;

const callsIn = (turn: AssistantMessage): ToolCallPart[] => turn.parts.filter((part) => part.type === 'tool-call');

let server: FakeServer;
let abort: AbortController;
let progress: AssistantMessage[];
let connection: boolean[];

beforeEach(() => {
  vi.useFakeTimers();
  server = new FakeServer();
  server.chunks = ANSWER;
  abort = new AbortController();
  progress = [];
  connection = [];
});

afterEach(() => {
  vi.useRealTimers();
});

/** Follows a run to its end, skipping the delays between attempts. */
async function follow(branch: readonly Message[], change: Partial<FollowRunOptions> = {}): Promise<AssistantMessage> {
  let ended = false;
  const following = followRun({
    transport: server,
    threadId: 'thread',
    runId: 'run-1',
    branch,
    start: storedStart(branch),
    settings: SETTINGS,
    isNew: true,
    repeat: () => ({ type: 'running', runId: 'run-again' }),
    abortSignal: abort.signal,
    onProgress: (turn) => progress.push(turn),
    onConnection: (isConnected) => connection.push(isConnected),
    ...change,
  }).finally(() => {
    ended = true;
  });
  following.catch(() => undefined);
  while (!ended) await vi.advanceTimersToNextTimerAsync();
  return following;
}

describe('a new run', () => {
  test('is posted, and its chunks become the turn, including the revision', async () => {
    const turn = await follow([user('u'), turnOf()]);
    expect(server.log).toEqual(['post turn']);
    expect(textIn(turn)).toBe('One, two, three.');
    expect(turn).toMatchObject({ id: 'turn', status: { type: 'done' }, revision: 'rev-2' });
    expect(connection.every(Boolean)).toBe(true);
  });

  test('is shown as it grows, in as many pieces as arrived, and never shrinks', async () => {
    const turn = await follow([user('u'), turnOf()]);
    expect(progress).toHaveLength(Math.ceil(ANSWER.length / 2));
    const lengths = progress.map((shown) => textIn(shown).length);
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect(progress.at(-1)).toEqual(turn);
  });

  test('with calls leaves the turn waiting for their results', async () => {
    server.chunks = [START, STEP, call('a'), STEP_END, FINISH];
    expect(await follow([user('u'), turnOf()])).toMatchObject({ status: { type: 'waiting' }, revision: 'rev-2' });
  });

  test('on a branch that ends with a user message is an error by the caller', async () => {
    await expect(follow([user('u')])).rejects.toThrow('does not end with an assistant message');
  });
});

describe('[R11] [R12] what is posted', () => {
  const asked = written([STEP, ...say('Let me see.'), call('a'), call('b'), STEP_END]);

  test('for the first message of a thread: the message, without a revision', async () => {
    await follow([user('u'), turnOf()]);
    expect(server.posts).toEqual([
      {
        threadId: 'thread',
        runId: 'run-1',
        revision: null,
        head: null,
        turnId: 'turn',
        action: { type: 'turn', message: user('u') },
        settings: SETTINGS,
      },
    ]);
  });

  test('for a later message: only that, with the revision of the turn before it', async () => {
    const before = turnOf({ id: 'before', status: { type: 'done' }, revision: 'rev-1' });
    await follow([user('u1'), before, user('u2'), turnOf()]);
    expect(server.posts[0]).toMatchObject({
      revision: 'rev-1',
      head: 'before',
      action: { type: 'turn', message: user('u2') },
    });
  });

  test('for a turn with answered calls: only the results of its last step, with its own revision', async () => {
    const first = answered(asked, 'run-0');
    const second = answered(written([STEP, call('c'), STEP_END], { ...first, revision: 'rev-1' }), 'run-1');
    await follow([user('u'), second]);
    expect(server.posts[0]).toMatchObject({
      revision: 'rev-1',
      head: 'turn',
      turnId: 'turn',
      action: { type: 'resume', results: [resultOf('c')] },
    });
  });

  test('for a branch that the server cannot know: all of it', async () => {
    await follow([user('u'), turnOf()], { start: 'replace' });
    const turn = answered(asked, 'run-1');
    await follow([user('u'), turn], { start: 'replace' });
    expect(server.posts).toMatchObject([
      { revision: null, head: null, action: { type: 'replace', messages: [user('u')] } },
      { revision: null, head: null, action: { type: 'replace', messages: [user('u'), turn] } },
    ]);
  });

  test('for a message that follows another one without an answer in between: all of the branch', async () => {
    await follow([user('u1'), user('u2'), turnOf()]);
    expect(server.posts[0]?.action).toEqual({ type: 'replace', messages: [user('u1'), user('u2')] });
  });

  test('for a Retry: the turn up to its last finished step, without the unfinished one', async () => {
    const finished = answered(asked, 'run-1');
    const broken = written([STEP, ...say('half')], finished);
    await follow([user('u'), withoutUnfinishedStep(broken)], { start: 'replace' });
    expect(server.posts[0]?.action).toEqual({ type: 'replace', messages: [user('u'), finished] });
  });
});

describe('[R11] when the server’s state is different', () => {
  test('409 transcript-needed: the branch is sent once, including results, and the same message continues', async () => {
    server.plan = [problem(409, 'transcript-needed')];
    const turn = answered(written([STEP, call('a'), STEP_END]), 'run-1');
    const result = await follow([user('u'), turn]);
    expect(server.log).toEqual(['post resume', 'post replace']);
    expect(server.posts[1]).toMatchObject({
      runId: 'run-1',
      turnId: 'turn',
      revision: null,
      head: null,
      action: { type: 'replace', messages: [user('u'), turn] },
    });
    expect(result).toMatchObject({ id: 'turn', status: { type: 'done' } });
    expect(stepsIn(result)).toBe(2);
    expect(callsIn(result)[0]?.result).toEqual(resultOf('a'));
  });

  test('409 transcript-needed a second time fails instead of looping', async () => {
    server.plan = [problem(409, 'transcript-needed'), problem(409, 'transcript-needed')];
    const turn = await follow([user('u'), turnOf()]);
    expect(turn.status).toMatchObject({ type: 'failed', problem: { code: 'transcript-needed' } });
    expect(server.log).toEqual(['post turn', 'post replace']);
  });

  test('409 run-active: the abandoned run is cancelled, then the branch is sent', async () => {
    server.plan = [problem(409, 'run-active')];
    expect(await follow([user('u'), turnOf()])).toMatchObject({ status: { type: 'done' } });
    expect(server.log).toEqual(['post turn', 'cancel thread undefined', 'post replace']);
  });

  test.each([
    [400, 'no-model'],
    [413, 'message-too-long'],
    [500, 'internal'],
  ])('any other response, such as %i %s, fails the turn with its code and message', async (status, code) => {
    server.plan = [problem(status, code)];
    expect((await follow([user('u'), turnOf()])).status).toEqual({
      type: 'failed',
      problem: { code, detail: `The server says ${code}.` },
    });
    expect(server.log).toEqual(['post turn']);
  });
});

describe('[R9] after a reload', () => {
  const rejoin = (turn: AssistantMessage, change: Partial<FollowRunOptions> = {}) =>
    follow([user('u'), turn], { isNew: false, ...change });

  test('a run that had already started is joined from its first chunk, and nothing is posted', async () => {
    const turn = await rejoin(turnOf());
    expect(server.log).toEqual(['attach thread run-1 0']);
    expect(textIn(turn)).toBe('One, two, three.');
  });

  test.each(ANSWER.map((_, index) => index))(
    'nothing is missing or duplicated if %i chunks of the run had been stored',
    async (count) => {
      const turn = await rejoin(written(ANSWER.slice(0, count)));
      expect(textIn(turn)).toBe('One, two, three.');
      expect(stepsIn(turn)).toBe(1);
      expect(turn.status).toEqual({ type: 'done' });
    },
  );

  test.each([0, 1, 2, 3, 4])(
    'calls are not duplicated, and the step before stays, if %i chunks of a resumed run had been stored',
    async (count) => {
      const start: StudioChunk = { type: 'start', messageMetadata: { runId: 'run-2' } };
      server.chunks = [start, STEP, call('b'), STEP_END, FINISH];
      const before = answered(written([START, STEP, ...say('Look.'), call('a'), STEP_END, FINISH]), 'run-2');
      const turn = await rejoin(written(server.chunks.slice(0, count), before), { runId: 'run-2' });
      expect(callsIn(turn).map(({ toolCallId }) => toolCallId)).toEqual(['a', 'b']);
      expect(callsIn(turn)[0]?.result).toEqual(resultOf('a'));
      expect(stepsIn(turn)).toBe(2);
      expect(turn.status).toEqual({ type: 'waiting' });
    },
  );

  test('[R15] what was shown stays when the server responds with a problem', async () => {
    server.plan = [problem(500, 'internal')];
    const turn = await rejoin(written([START, STEP, ...say('One, ')]));
    expect(textIn(turn)).toBe('One, ');
    expect(turn.status).toMatchObject({ type: 'failed', problem: { code: 'internal' } });
  });

  test('[R10] what was shown stays when the user stops before the stream is back', async () => {
    server.plan = [{ hangsAfter: 0 }];
    const following = rejoin(written([START, STEP, ...say('One, ')]));
    await vi.waitFor(() => expect(server.log).toHaveLength(1));
    abort.abort();
    expect(textIn(await following)).toBe('One, ');
  });
});

describe('[R9] [R13] when the connection breaks', () => {
  test.each([0, 1, 2, 5, 7])('after %i chunks, the rest is fetched from there, without duplicates', async (count) => {
    server.plan = [{ breaksAfter: count }];
    const turn = await follow([user('u'), turnOf()]);
    expect(server.log).toEqual(['post turn', `attach thread run-1 ${count}`]);
    expect(textIn(turn)).toBe('One, two, three.');
    expect(turn.status).toEqual({ type: 'done' });
    expect(connection).toContain(false);
    expect(connection.at(-1)).toBe(true);
  });

  test('repeatedly, the next piece is added each time', async () => {
    server.plan = [{ breaksAfter: 3 }, offline(), { breaksAfter: 2 }, { breaksAfter: 1 }, offline()];
    const turn = await follow([user('u'), turnOf()]);
    expect(server.log).toEqual([
      'post turn',
      'attach thread run-1 3',
      'attach thread run-1 3',
      'attach thread run-1 5',
      'attach thread run-1 6',
      'attach thread run-1 6',
    ]);
    expect(textIn(turn)).toBe('One, two, three.');
  });

  test('more often than the retry limit, but with progress in between, it does not give up', async () => {
    server.plan = Array.from({ length: 20 }, (_, index) => (index % 4 === 0 ? { breaksAfter: 1 } : offline()));
    expect((await follow([user('u'), turnOf()])).status).toEqual({ type: 'done' });
  });

  test('before the response to the post, the run is looked up instead of being posted twice', async () => {
    server.plan = [offline()];
    await follow([user('u'), turnOf()]);
    expect(server.log).toEqual(['post turn', 'attach thread run-1 0']);
  });

  test('before the post has reached the server, it is posted again', async () => {
    server.plan = [offline(), problem(404, 'no-such-run')];
    const turn = await follow([user('u'), turnOf()]);
    expect(server.log).toEqual(['post turn', 'attach thread run-1 0', 'state thread', 'post turn']);
    expect(textIn(turn)).toBe('One, two, three.');
  });

  test('for an hour, a message that never arrived is sent when the server is back', async () => {
    const until = Date.now() + 3_600_000;
    const refuse = vi.spyOn(server, 'attach').mockImplementation(async () => {
      if (Date.now() > until) throw problem(404, 'no-such-run');
      throw offline();
    });
    server.plan = [offline()];
    const turn = await follow([user('u'), turnOf()]);
    expect(turn.status).toEqual({ type: 'done' });
    expect(textIn(turn)).toBe('One, two, three.');
    expect(Date.now() - until).toBeLessThan(5_000);
    expect(refuse.mock.calls.length).toBeLessThan(1_000);
    expect(connection.at(-1)).toBe(true);
  });

  test('for long in the middle of the answer, what arrived stays and the rest follows', async () => {
    server.plan = [{ breaksAfter: 4 }, ...Array.from({ length: 100 }, offline)];
    const turn = await follow([user('u'), turnOf()]);
    expect(turn.status).toEqual({ type: 'done' });
    expect(textIn(turn)).toBe('One, two, three.');
    expect(progress.map(textIn).every((text) => 'One, two, three.'.startsWith(text))).toBe(true);
  });

  test('after a reload, what was shown stays until the server is back', async () => {
    server.plan = Array.from({ length: 20 }, offline);
    const turn = await follow([user('u'), written([START, STEP, ...say('One, ')])], { isNew: false });
    expect(textIn(turn)).toBe('One, two, three.');
  });

  test('in a run that the server already had for the same results, that run is rejoined', async () => {
    const other: StudioChunk = { type: 'start', messageMetadata: { runId: 'run-of-before' } };
    server.chunks = [other, ...ANSWER.slice(1)];
    server.plan = [{ breaksAfter: 4 }];
    await follow([user('u'), answered(written([STEP, call('a'), STEP_END]), 'run-1')]);
    expect(server.log).toEqual(['post resume', 'attach thread run-of-before 4']);
  });
});

describe('[R9] [R13] when the server no longer has the run', () => {
  const forgotten = () => problem(404, 'no-such-run');

  const checkpoint = (chunks: readonly StudioChunk[], turn = turnOf()): ThreadStateAnswer => ({
    revision: 'rev-checkpoint',
    turn: written(chunks, turn),
  });

  test.each([
    ['had not been seen', turnOf()],
    ['had been partially seen', written(ANSWER.slice(0, 4))],
    ['had been seen except for its end', written(ANSWER.slice(0, -1))],
  ])('a run that ended and %s is taken from the checkpoint, with its revision', async (_, turn) => {
    server.plan = [forgotten()];
    server.state = checkpoint(ANSWER.slice(1, -1));
    const recovered = await follow([user('u'), turn], { isNew: false });
    expect(recovered).toMatchObject({ status: { type: 'done' }, revision: 'rev-checkpoint' });
    expect(textIn(recovered)).toBe('One, two, three.');
    expect(stepsIn(recovered)).toBe(1);
    expect(server.log).toEqual(['attach thread run-1 0', 'state thread']);
  });

  test('a turn from the checkpoint with calls waits for their results', async () => {
    server.plan = [forgotten()];
    server.state = checkpoint([STEP, call('a'), STEP_END]);
    const recovered = await follow([user('u'), turnOf()], { isNew: false });
    expect(recovered).toMatchObject({ status: { type: 'waiting' }, revision: 'rev-checkpoint' });
  });

  test('while following it, its end is taken from the checkpoint', async () => {
    server.plan = [{ breaksAfter: 4 }, forgotten()];
    server.state = checkpoint(ANSWER.slice(1, -1));
    const turn = await follow([user('u'), turnOf()]);
    expect(textIn(turn)).toBe('One, two, three.');
    expect(turn.revision).toBe('rev-checkpoint');
  });

  test('a connection that breaks at that moment is not the end either: the checkpoint is requested again', async () => {
    server.plan = [forgotten(), forgotten()];
    server.statePlan = [offline()];
    server.state = checkpoint(ANSWER.slice(1, -1));
    const turn = await follow([user('u'), written(ANSWER.slice(0, 4))], { isNew: false });
    expect(turn).toMatchObject({ status: { type: 'done' }, revision: 'rev-checkpoint' });
  });

  test.each<[string, ThreadStateAnswer | undefined]>([
    ['nothing', undefined],
    ['another turn', checkpoint(ANSWER.slice(1, -1), turnOf({ id: 'older' }))],
    ['the turn as it was before the run', checkpoint([])],
  ])('and has %s, a run that was never seen is posted', async (_, state) => {
    server.plan = [forgotten()];
    server.state = state;
    const turn = await follow([user('u'), turnOf()], { isNew: false });
    expect(server.log).toEqual(['attach thread run-1 0', 'state thread', 'post turn']);
    expect(textIn(turn)).toBe('One, two, three.');
  });

  test('and has a resumed turn as it was before the run, the results are posted again', async () => {
    const before = written([START, STEP, call('a'), STEP_END, FINISH]);
    server.plan = [forgotten()];
    server.state = { revision: 'rev-1', turn: before };
    await follow([user('u'), answered(before, 'run-2')], { isNew: false, runId: 'run-2' });
    expect(server.posts[0]?.action).toEqual({ type: 'resume', results: [resultOf('a')] });
  });

  test.each([
    ['before a reload', written([START, STEP, ...say('One, ')]), [forgotten()], false],
    ['before the connection broke', turnOf(), [{ breaksAfter: 4 }, forgotten()], true],
  ] satisfies [string, AssistantMessage, Connection[], boolean][])(
    'or its end, a run seen %s is to be repeated by another, and what was seen stays until then',
    async (_, turn, plan, isNew) => {
      server.plan = plan;
      const lost = await follow([user('u'), turn], { isNew });
      expect(lost.status).toEqual({ type: 'running', runId: 'run-again', repeats: 1 });
      expect(textIn(lost)).toBe('One, ');
      expect(server.posts).toHaveLength(isNew ? 1 : 0);
    },
  );

  test('the other run sends the branch up to the last finished step, and its step says that it was repeated', async () => {
    const before = answered(written([START, STEP, call('a'), STEP_END, FINISH]), 'run-2');
    const lost = written([STEP, ...say('Half')], {
      ...before,
      status: { type: 'running', runId: 'run-again', repeats: 1 },
    });
    server.chunks = [{ type: 'start', messageMetadata: { runId: 'run-again' } }, ...ANSWER.slice(1)];
    const turn = await follow([user('u'), lost], { runId: 'run-again', start: 'retry' });
    expect(server.posts[0]?.action).toMatchObject({ type: 'replace', messages: [{}, { parts: before.parts }] });
    expect(textIn(turn)).toBe('One, two, three.');
    expect(turn.status).toEqual({ type: 'done' });
    expect(noticesIn(turn)).toEqual([[], [{ code: 'step-repeated', times: 1 }]]);
    // The same after a reload, when all of the run comes again.
    const { parts = [] } = progress.at(-2) ?? {};
    const shown = turnOf({ parts, status: { type: 'running', runId: 'run-again', repeats: 1 } });
    const again = await follow([user('u'), shown], { runId: 'run-again', isNew: false });
    expect(noticesIn(again)).toEqual([[], [{ code: 'step-repeated', times: 1 }]]);
  });

  test('a step is repeated three times, and then fails with what was seen last', async () => {
    let turn = turnOf();
    for (let times = 0; turn.status.type === 'running'; times++) {
      const { runId } = turn.status;
      server.chunks = [{ type: 'start', messageMetadata: { runId } }, STEP, ...say(`Try ${times}`)];
      server.plan = [{ breaksAfter: 5 }, forgotten()];
      turn = await follow([user('u'), turn], {
        runId,
        start: 'retry',
        repeat: () => ({ type: 'running', runId: `run-${times}` }),
      });
    }
    expect(turn.status).toMatchObject({ type: 'failed', problem: { code: 'run-lost' } });
    expect(textIn(turn)).toBe('Try 3');
    expect(server.posts).toHaveLength(1 + REPEATS_MAX);
  });

  test('each step has its own repetitions', async () => {
    const status = { type: 'running', runId: 'run-1', repeats: 3 } as const;
    server.chunks = [START, STEP, call('a'), STEP_END, STEP, ...say('Half')];
    const turn = answered(written(server.chunks, turnOf({ status })), 'run-1');
    server.plan = [forgotten()];
    const lost = await follow([user('u'), { ...turn, status }], { isNew: false });
    expect(lost.status).toEqual({ type: 'running', runId: 'run-again', repeats: 1 });
  });

  test('a stream that breaks after the end of the run has lost nothing', async () => {
    server.plan = [{ breaksAfter: ANSWER.length }];
    const turn = await follow([user('u'), turnOf()]);
    expect(turn).toMatchObject({ status: { type: 'done' }, revision: 'rev-2' });
    expect(server.log).toEqual(['post turn']);
  });

  test('a stream that ends in the middle of the run is recovered from the checkpoint', async () => {
    server.chunks = ANSWER.slice(0, 4);
    server.state = checkpoint(ANSWER.slice(1, -1));
    const turn = await follow([user('u'), turnOf()]);
    expect(turn).toMatchObject({ status: { type: 'done' }, revision: 'rev-checkpoint' });
    expect(server.log).toEqual(['post turn', 'state thread']);
  });

  test('a run that had made calls waits for their results, and one that had answered is done', async () => {
    server.plan = [forgotten()];
    const called = written([START, STEP, call('a'), STEP_END]);
    expect((await follow([user('u'), called], { isNew: false })).status).toEqual({ type: 'waiting' });
    server.plan = [forgotten()];
    const said = written(ANSWER.slice(0, -1));
    const turn = await follow([user('u'), said], { isNew: false });
    expect(turn.status).toEqual({ type: 'done' });
    expect(textIn(turn)).toBe('One, two, three.');
  });

  test('a run that another page had begun to repeat, but that never reached the server, is posted and not counted', async () => {
    server.plan = [forgotten()];
    server.chunks = [{ type: 'start', messageMetadata: { runId: 'run-again' } }, ...ANSWER.slice(1)];
    const lost = written([START, STEP, ...say('Half')]);
    const turn = await follow([user('u'), { ...lost, status: { type: 'running', runId: 'run-again', repeats: 2 } }], {
      runId: 'run-again',
      isNew: false,
    });
    expect(server.log).toEqual(['attach thread run-again 0', 'state thread', 'post replace']);
    expect(noticesIn(turn)).toEqual([[{ code: 'step-repeated', times: 2 }]]);
  });

  test('while the server is being stopped, a run is posted until another one takes it, and is not counted', async () => {
    server.plan = Array.from(
      { length: 20 },
      () => new ConnectionError('The server is being stopped.', { isRefused: true }),
    );
    const turn = await follow([user('u'), turnOf()]);
    expect(textIn(turn)).toBe('One, two, three.');
    expect(server.log).toEqual(Array.from({ length: 21 }, () => 'post turn'));
  });

  test('any run it is given, the turn eventually fails instead of being posted forever', async () => {
    server.plan = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? offline() : forgotten()));
    const turn = await follow([user('u'), turnOf()]);
    expect(turn.status.type).toBe('failed');
    expect(server.posts.length).toBeLessThan(10);
  });
});

describe('[R10] when this side stops', () => {
  test('in the middle of the stream, the turn stays running with what arrived', async () => {
    server.plan = [{ hangsAfter: 4 }];
    const following = follow([user('u'), turnOf()]);
    await vi.waitFor(() => expect(progress).toHaveLength(2));
    abort.abort();
    const turn = await following;
    expect(turn.status).toEqual({ type: 'running', runId: 'run-1' });
    expect(textIn(turn)).toBe('One, ');
    expect(server.log).toEqual(['post turn']);
  });

  test('before it starts, the server is not contacted at all', async () => {
    abort.abort();
    expect(await follow([user('u'), turnOf()])).toEqual(turnOf());
    expect(server.log).toEqual([]);
  });

  test('while waiting to reconnect, it does not reconnect', async () => {
    server.plan = [{ breaksAfter: 4 }];
    const turn = await follow([user('u'), turnOf()], {
      onConnection(isConnected) {
        if (!isConnected) setTimeout(() => abort.abort(), 1);
      },
    });
    expect(turn.status).toEqual({ type: 'running', runId: 'run-1' });
    expect(server.log).toEqual(['post turn']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('an error that did not come from the server is rethrown', async () => {
  server.plan = [new TypeError('a mistake')];
  await expect(follow([user('u'), turnOf()])).rejects.toThrow('a mistake');
});

describe('where a turn continues from', () => {
  const finished = answered(written([STEP, call('a'), STEP_END]), 'run-1');

  test('[R12] an unfinished step is left out, finished ones stay unchanged', () => {
    expect(withoutUnfinishedStep(written([STEP, ...say('half')], finished))).toEqual(finished);
    expect(withoutUnfinishedStep(finished)).toBe(finished);
    expect(withoutUnfinishedStep(turnOf())).toEqual(turnOf());
  });

  test('[R6] [R15] a failed turn keeps what arrived and closes it: a call that was being written is incomplete', () => {
    const open = written([
      STEP,
      { type: 'text-start', id: 't' },
      { type: 'tool-input-start', toolCallId: 'c', toolName: 'f' },
    ]);
    const turn = failed(open, 'code', 'What happened.');
    expect(turn.status).toEqual({ type: 'failed', problem: { code: 'code', detail: 'What happened.' } });
    expect(turn.parts).toMatchObject([{ type: 'step' }, { type: 'text', text: '' }, { inputState: 'incomplete' }]);
    expect(turn.parts[1]).not.toHaveProperty('openId');
  });
});
