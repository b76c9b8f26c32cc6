import { defined } from '#lib/base/defined.ts';
import { delay } from '#lib/base/delay.ts';
import { untilAborted } from '#lib/base/until-aborted.ts';
import { applyChunk, endUnfinished, pendingCalls } from '#lib/messages/apply-chunk.ts';
import type { AssistantMessage, AssistantPart, Message, Problem } from '#lib/messages/message.ts';
import type { ChatAction, ChatRequest, RunSettings } from '#lib/wire/chat.ts';
import { lastStepResults, type RunStart } from './run-start.ts';
import { type ChunkStream, ConnectionError, ServerProblem, type Transport } from './transport.ts';

/**
 * The delays before attempts to reconnect, in milliseconds; the last one repeats until the server is back or the user stops.
 */
const RECONNECT_DELAYS_MS = [200, 500, 1_000, 2_000, 4_000] as const;
const RECONNECT_MAX_DELAY_MS = RECONNECT_DELAYS_MS[4];

/** The maximum number of times that a run that never reached the server is posted again. */
const REPOSTS_MAX = 3;

/** The maximum number of times that a step is repeated because the server lost its run. After that, the turn fails. */
export const REPEATS_MAX = 3;

/** The largest part by which a delay is made shorter or longer, so that not all pages return to a server at once. */
const JITTER = 0.25;

const RUN_LOST = 'The server no longer has this run.';

export interface FollowRunOptions {
  transport: Transport;
  threadId: string;
  runId: string;
  /** The branch, ending with the turn the run writes to. */
  branch: readonly Message[];
  /** The kind of start with which the run is posted, if it has to be. */
  start: RunStart;
  settings: RunSettings;
  /** Options for compacting the conversation. */
  compaction?: ChatRequest['compaction'];
  /** Resolves with the name of the catalogue of tools to offer. If this function is absent, no tools are offered. */
  catalogue?(): Promise<string>;
  /** Whether the run was just created, so that nobody can have posted it yet. */
  isNew: boolean;
  /** Creates the run that repeats a step, and returns the status of its turn. */
  repeat(): Extract<AssistantMessage['status'], { type: 'running' }>;
  /** Stops following the run; the run itself continues. */
  abortSignal: AbortSignal;
  /** Called with the turn as it grows. */
  onProgress(turn: AssistantMessage): void;
  onConnection(isConnected: boolean): void;
}

/**
 * Follows a turn's run to its end: posts a new run, or rejoins one after a reload or a broken connection (rule R9), and keeps
 * trying while the server cannot be reached. If the server no longer has the run, takes the turn from the checkpoint; if that
 * has nothing new, posts the run again if none of it was ever seen, or else leaves the step to another run, which `repeat`
 * creates. Resolves with the turn as the run left it: `failed` if the server refuses, and still `running` if that other run is
 * to be followed next, or if `abortSignal` has fired.
 */
export async function followRun(options: FollowRunOptions): Promise<AssistantMessage> {
  const { transport, threadId, runId, abortSignal } = options;
  const shown = turnOf(options.branch);
  const base = options.isNew ? withoutUnfinishedStep(shown) : withoutRun(shown, runId);
  // The turn that is shown stays until the stream repeats it.
  let turn = shown;
  let applied = 0;
  let attempt = 0;
  let reposts = 0;
  let mustPost = options.isNew;
  let isForgotten = false;
  while (!abortSignal.aborted) {
    try {
      if (isForgotten) {
        const recovered = await recoverTurn(base, options);
        if (recovered !== undefined) return recovered;
        // If none of it was ever seen, the run may never have reached the server, and posting it does no harm.
        if (applied > 0 || hasStepOf(shown, runId)) return repeated(turn, options);
        if (reposts++ >= REPOSTS_MAX) return failed(turn, 'server-unreachable', 'The server lost the run repeatedly.');
        isForgotten = false;
        mustPost = true;
      }
      // For a repeated resume, the server's registry of runs returns the run that exists; its chunk `start` has named it.
      const current = applied > 0 && turn.status.type === 'running' ? turn.status.runId : runId;
      const stream: ChunkStream = mustPost
        ? await postRun(base, options)
        : await transport.attach(threadId, current, applied, abortSignal);
      mustPost = false;
      for await (const { chunks, next } of stream) {
        if (applied === 0) turn = base;
        for (const chunk of chunks) turn = applyChunk(turn, chunk);
        applied = next;
        attempt = 0;
        options.onConnection(true);
        options.onProgress(turn);
      }
      // A stream that ends in the middle of the run has lost the rest.
      if (turn.status.type !== 'running') return turn;
      isForgotten = true;
    } catch (error) {
      // Only the end of the stream was lost.
      const isOver = error instanceof ConnectionError && applied > 0 && turn.status.type !== 'running';
      if (abortSignal.aborted || isOver) break;
      if (error instanceof ServerProblem && error.code === 'no-such-run') isForgotten = true;
      else if (error instanceof ServerProblem) return failed(turn, error.code, error.message);
      else if (error instanceof ConnectionError) {
        mustPost &&= error.isRefused;
        options.onConnection(false);
        const delayMs = RECONNECT_DELAYS_MS[attempt++] ?? RECONNECT_MAX_DELAY_MS;
        await delay(delayMs * (1 - JITTER + 2 * JITTER * Math.random()), abortSignal);
      } else throw error;
    }
  }
  return turn;
}

/**
 * The turn after the server has lost its run: the last finished step counts, and the unfinished one is to be repeated. What it
 * had said stays until the repetition begins. The turn fails once a step was repeated `REPEATS_MAX` times.
 */
function repeated(turn: AssistantMessage, { repeat }: FollowRunOptions): AssistantMessage {
  const base = withoutUnfinishedStep(turn);
  if (pendingCalls(base).length > 0) return { ...base, status: { type: 'waiting' } };
  if (base === turn && isAnswered(turn)) return { ...turn, status: { type: 'done' } };
  const times = lostTimes(turn) + 1;
  if (times > REPEATS_MAX) return failed(turn, 'run-lost', RUN_LOST);
  return { ...turn, status: { ...repeat(), repeats: times } };
}

/** Checks whether a turn ends with a finished step that made no calls, after which no other step follows. */
function isAnswered({ parts }: AssistantMessage): boolean {
  const index = parts.findLastIndex(({ type }) => type === 'step');
  const step = parts[index];
  if (step?.type !== 'step' || step.finishReason === undefined) return false;
  const isAskedAgain = step.notices.some((notice) => notice.code === 'call-unreadable' && notice.askedAgain);
  return !isAskedAgain && !parts.slice(index).some(({ type }) => type === 'tool-call');
}

/** The number of times that the server has lost the step that a turn's run is writing, or is to write, before this time. */
function lostTimes({ parts, status }: AssistantMessage): number {
  if (status.type !== 'running') return 0;
  const { runId, repeats = 0 } = status;
  const hasFinishedStep = parts.some(
    (part) => part.type === 'step' && part.runId === runId && part.finishReason !== undefined,
  );
  return hasFinishedStep ? 0 : repeats;
}

/** Returns the turn with the status `failed`, for this reason. Parts that have arrived stay, and open ones are closed. */
export function failed(turn: AssistantMessage, code: string, detail: string): AssistantMessage {
  const problem: Problem = { code, detail };
  return { ...endUnfinished(turn), status: { type: 'failed', problem } };
}

/** The turn up to its last finished step, which a run continues from and Retry goes back to (rule R12). */
export function withoutUnfinishedStep(turn: AssistantMessage): AssistantMessage {
  const index = turn.parts.findLastIndex(({ type }) => type === 'step');
  const step = turn.parts[index];
  const isOpen = step?.type === 'step' && step.finishReason === undefined;
  return isOpen ? { ...turn, parts: turn.parts.slice(0, index) } : turn;
}

/**
 * The turn as it was before a run wrote to it, so that all of the run's chunks can be applied to it again. If the run has begun
 * no step yet, the turn up to its last finished step.
 */
function withoutRun(turn: AssistantMessage, runId: string): AssistantMessage {
  const index = turn.parts.findIndex((part) => isOfStep(part) && part.runId === runId);
  return index === -1 ? withoutUnfinishedStep(turn) : { ...turn, parts: turn.parts.slice(0, index) };
}

const hasStepOf = (turn: AssistantMessage, runId: string): boolean =>
  turn.parts.some((part) => isOfStep(part) && part.runId === runId);

/** Checks whether a part is of a kind that has the id of the run that wrote it: a step, or a compaction before one. */
const isOfStep = (part: AssistantPart): part is Extract<AssistantPart, { runId?: string | undefined }> =>
  part.type === 'step' || part.type === 'compaction';

async function postRun(turn: AssistantMessage, options: FollowRunOptions): Promise<ChunkStream> {
  const { transport, abortSignal, threadId } = options;
  const name = options.catalogue && (await untilAborted(options.catalogue(), abortSignal));
  const tools: Pick<ChatRequest, 'catalogue'> = name === undefined ? {} : { catalogue: name };
  try {
    return await transport.post({ ...createRequest(options.start, turn, options), ...tools }, abortSignal);
  } catch (error) {
    if (!(error instanceof ServerProblem)) throw error;
    // Nobody needs a run that this thread no longer knows.
    if (error.code === 'run-active') await transport.cancel(threadId, undefined);
    else if (error.code !== 'transcript-needed') throw error;
    return transport.post({ ...replaceRequest(turn, options), ...tools }, abortSignal);
  }
}

/** The request that posts a run. */
function createRequest(start: RunStart, turn: AssistantMessage, options: FollowRunOptions): ChatRequest {
  const [before, question] = [options.branch.at(-3), options.branch.at(-2)];
  if (start === 'resume') {
    const action: ChatAction = { type: 'resume', results: lastStepResults(turn) };
    return request(options, action, turn.revision ?? null, turn.id);
  }
  // A question is sent alone if it is the first message or follows a turn, which names the revision that it builds on.
  // Another question before it names none.
  if (start === 'turn' && question?.role === 'user' && before?.role !== 'user')
    return request(options, { type: 'turn', message: question }, before?.revision ?? null, before?.id ?? null);
  return replaceRequest(turn, options);
}

/** The request that sends the whole branch. */
function replaceRequest(turn: AssistantMessage, options: FollowRunOptions): ChatRequest {
  const before = options.branch.slice(0, -1);
  const messages = turn.parts.length === 0 ? before : [...before, turn];
  return request(options, { type: 'replace', messages }, null, null);
}

function request(
  { threadId, runId, settings, compaction, branch }: FollowRunOptions,
  action: ChatAction,
  revision: string | null,
  head: string | null,
): ChatRequest {
  return {
    threadId,
    runId,
    revision,
    head,
    turnId: turnOf(branch).id,
    action,
    settings,
    ...defined({ compaction }),
  };
}

/**
 * The turn from the checkpoint, after the server has lost its run (rules R9, R13); undefined if it has no more finished steps
 * than `base`.
 */
async function recoverTurn(
  base: AssistantMessage,
  { transport, threadId }: FollowRunOptions,
): Promise<AssistantMessage | undefined> {
  const state = await transport.threadState(threadId);
  if (state?.turn.id !== base.id || finishedSteps(state.turn) <= finishedSteps(base)) return undefined;
  const status = pendingCalls(state.turn).length > 0 ? 'waiting' : 'done';
  return { ...state.turn, revision: state.revision, status: { type: status } };
}

const finishedSteps = (turn: AssistantMessage): number =>
  turn.parts.filter((part) => part.type === 'step' && part.finishReason !== undefined).length;

function turnOf(branch: readonly Message[]): AssistantMessage {
  const last = branch.at(-1);
  if (last?.role !== 'assistant') throw new Error('The branch does not end with an assistant message.');
  return last;
}
