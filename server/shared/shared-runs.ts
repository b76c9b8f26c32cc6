import { delay } from '#lib/base/delay.ts';
import type { Log } from '#log/log.ts';
import { HttpProblem } from '#server/http/problem.ts';
import type { Run, RunKind } from '#server/runs/run.ts';
import { type RunRegistry, runActiveProblem, runCancelledProblem } from '#server/runs/run-registry.ts';
import type { ReadableRun, RunRequest, Runs } from '#server/runs/runs.ts';
import { LEASE_MS, type Ownership, type RunRef } from './ownership.ts';
import { RemoteRun } from './remote-run.ts';
import type { RunStreams } from './run-streams.ts';
import type { StopSignals } from './stop-signals.ts';

/** The interval at which a process renews its leases, in milliseconds. */
const RENEW_EVERY_MS = 3_000;

/** The interval at which a process checks its leases by its own clock, in milliseconds. */
const CHECK_EVERY_MS = 1_000;

/** The time without a renewal after which a process gives up its runs by itself, in milliseconds: before the lease is over. */
const GIVE_UP_MS = 7_000;

/** The interval at which new chunks are sent to Redis, in milliseconds. */
const FLUSH_EVERY_MS = 25;

/** The pause after a failed attempt to reach Redis, in milliseconds. */
const FLUSH_AGAIN_MS = 500;

/** The longest time to wait for a renewal that is on its way when the process ends, in milliseconds. */
const CLOSE_MS = 1_000;

/** The pause before another attempt to release a run, in milliseconds. */
const RELEASE_AGAIN_MS = 500;

/** The longest time for which a process that stops another one's run waits for its end, in milliseconds. */
const STOP_WAIT_MS = LEASE_MS + 1_000;
const STOP_POLL_MS = 100;

interface Held {
  run: Run;
  ref: RunRef;
  /** When the lease was last known to be this process's, by the clock of `performance.now`. */
  renewedAt: number;
  /** Whether the database is being told, or has been told, that the run has ended. */
  isReleased: boolean;
}

interface SharedRunsOptions {
  local: RunRegistry;
  ownership: Ownership;
  streams: RunStreams;
  signals: StopSignals;
  log: Log;
}

/**
 * The runs of all processes that share a PostgreSQL and a Redis. PostgreSQL decides which process runs a thread; Redis has
 * the chunks for readers in other processes. Readers in the process that runs a thread read its memory, and need no Redis.
 */
export class SharedRuns implements Runs {
  readonly #options: SharedRunsOptions;
  /** The runs that this process owns, by thread. */
  readonly #held = new Map<string, Held>();
  readonly #timer: NodeJS.Timeout;
  #renewing: Promise<void> | undefined;
  #lastRenewal = 0;

  constructor(options: SharedRunsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#tick(), CHECK_EVERY_MS);
    this.#timer.unref();
    options.signals.onStop(({ threadId, fence }) => {
      const held = this.#held.get(threadId);
      if (held?.ref.fence === fence) held.run.cancel();
    });
  }

  async existing(
    threadId: string,
    runId: string,
    kind: RunKind,
    baseRevision: string | null,
  ): Promise<ReadableRun | undefined> {
    // If another run is active, the claim finds out.
    const found = await this.#options.ownership.join({ threadId, runId, kind, baseRevision });
    if (found === 'stopped') throw runCancelledProblem();
    if (found === undefined) return undefined;
    const run = await this.#readerOf(found);
    // The browser takes the turn from the checkpoint.
    if (run === undefined) throw noSuchRun();
    return run;
  }

  async start(request: RunRequest): Promise<ReadableRun> {
    const { local, ownership } = this.#options;
    this.refuseDraining();
    const { threadId, runId, baseRevision } = request;
    const claimedAt = performance.now();
    const claim = await ownership.acquire({ threadId, runId, kind: request.input.type, baseRevision });
    if (claim.type === 'busy') throw runActiveProblem();
    if (claim.type === 'stopped') throw runCancelledProblem();
    if (claim.type === 'past') throw noSuchRun();
    const { run: ref } = claim;
    if (claim.type === 'joined') return this.#reader(ref);
    // An earlier attempt of this process that has lost the thread without noticing.
    this.#held.get(threadId)?.run.abandon();
    const onEnding = (succeeded: boolean) => {
      held.isReleased = true;
      return this.#release(ref, succeeded);
    };
    const held: Held = {
      run: local.begin({ ...request, fence: ref.fence, onEnding }),
      ref,
      renewedAt: claimedAt,
      isReleased: false,
    };
    const { run } = held;
    this.#held.set(threadId, held);
    void this.#publish(held);
    return run;
  }

  async find(threadId: string, runId: string): Promise<ReadableRun | undefined> {
    const found = await this.#options.ownership.find(threadId, runId);
    return found === undefined || found.state === 'orphaned' ? undefined : this.#readerOf(found);
  }

  async acknowledge(threadId: string, runId: string): Promise<void> {
    const { local, ownership, streams } = this.#options;
    local.acknowledge(threadId, runId);
    const found = await ownership.find(threadId, runId);
    if (found?.state === 'ended') await streams.drop(found.run);
  }

  async cancel(threadId: string, runId?: string): Promise<void> {
    const { ownership, signals } = this.#options;
    const ref = await ownership.stop(threadId, runId);
    if (ref === undefined) return;
    const own = this.#localRun(ref);
    if (own !== undefined) {
      own.cancel();
      await own.ended();
      // If that could not be said before.
      return this.#release(ref, false);
    }
    signals.stop(ref);
    for (let waited = 0; waited < STOP_WAIT_MS; waited += STOP_POLL_MS) {
      if ((await ownership.stateOf(ref)) !== 'active') return;
      await delay(STOP_POLL_MS);
    }
  }

  async forget(threadId: string): Promise<void> {
    const { ownership, signals } = this.#options;
    const ref = await ownership.stop(threadId);
    await ownership.forget(threadId);
    if (ref === undefined) return;
    this.#localRun(ref)?.cancel();
    signals.stop(ref);
  }

  refuseDraining(): void {
    this.#options.local.refuseDraining();
  }

  async drain(): Promise<void> {
    await this.#options.local.drain();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    for (const held of [...this.#held.values()]) this.#lose(held);
    // One that is on its way would extend the leases again.
    await Promise.race([this.#renewing, delay(CLOSE_MS)]);
    await this.#options.ownership.giveUp();
  }

  /** The run of this process with that fence; undefined if it has none, or if it has lost it. */
  #localRun({ threadId, fence }: RunRef): Run | undefined {
    const run = this.#held.get(threadId)?.run ?? this.#options.local.find(threadId);
    return run?.fence === fence && !run.isAbandoned ? run : undefined;
  }

  /** A reader of a run; undefined if the chunks of one that has ended are not kept anymore, or were lost. */
  async #readerOf({ run, state }: { run: RunRef; state: string }): Promise<ReadableRun | undefined> {
    const isThere =
      state !== 'ended' ||
      this.#localRun(run) !== undefined ||
      (await this.#options.streams.isComplete(run).catch(() => false));
    return isThere ? this.#reader(run) : undefined;
  }

  #reader(ref: RunRef): ReadableRun {
    const { streams, ownership } = this.#options;
    return this.#localRun(ref) ?? new RemoteRun(ref, streams, ownership);
  }

  /**
   * Says in the database how a run has ended. If that fails, tries again in the background until the lease is over. Never
   * rejects.
   */
  async #release(ref: RunRef, succeeded: boolean): Promise<void> {
    const { ownership, log } = this.#options;
    const startedAt = performance.now();
    const attempt = () => ownership.release(ref, succeeded ? 'done' : 'failed');
    const again = async (): Promise<void> => {
      await delay(RELEASE_AGAIN_MS);
      if (performance.now() - startedAt < LEASE_MS) await attempt().catch(again);
    };
    try {
      await attempt();
    } catch (error) {
      log.warn({ threadId: ref.threadId, error: String(error) }, 'releasing a run failed');
      void again();
    }
  }

  /** Sends the chunks of a run to Redis until it has ended. Never rejects: readers of this process need no Redis. */
  async #publish(held: Held): Promise<void> {
    const { streams, log } = this.#options;
    const { run, ref } = held;
    let next = 0;
    let hasFailed = false;
    let triesLeft = Number.POSITIVE_INFINITY;
    for (;;) {
      const isOver = run.endedAt !== undefined;
      if (isOver) this.#drop(held);
      if (run.isAbandoned) return;
      if (isOver) triesLeft = Math.min(triesLeft, LAST_TRIES);
      try {
        if (run.length > next) next = await streams.append(ref, run.chunksFrom(next));
        if (isOver && next === run.length && (await streams.end(ref, next))) return;
        // Redis has lost a part.
        if (isOver && triesLeft-- <= 0) return;
        if (isOver) next = 0;
        if (run.length > next) continue;
      } catch (error) {
        if (!hasFailed) log.warn({ threadId: ref.threadId, error: String(error) }, 'sharing a run failed');
        hasFailed = true;
        if (triesLeft-- <= 0) return;
        await delay(FLUSH_AGAIN_MS);
        continue;
      }
      await run.nextChange();
      if (run.endedAt === undefined) await delay(FLUSH_EVERY_MS);
    }
  }

  #drop(held: Held): void {
    if (this.#held.get(held.ref.threadId) === held) this.#held.delete(held.ref.threadId);
  }

  #tick(): void {
    // The clock of this machine decides, not the answer of a query: the database may be away.
    for (const held of this.#held.values()) {
      if (performance.now() - held.renewedAt > GIVE_UP_MS) this.#lose(held);
    }
    if (this.#held.size === 0 || performance.now() - this.#lastRenewal < RENEW_EVERY_MS) return;
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
  }

  async #renew(): Promise<void> {
    const { ownership, log } = this.#options;
    const startedAt = performance.now();
    this.#lastRenewal = startedAt;
    const all = [...this.#held.values()];
    try {
      const { renewed, lost, stopped } = await ownership.renew(all.map(({ ref }) => ref));
      for (const held of all) {
        const { run, ref } = held;
        // One that is being released is no longer the process's, either.
        if (lost.includes(ref) && run.endedAt === undefined && !held.isReleased) this.#lose(held);
        if (renewed.includes(ref)) held.renewedAt = startedAt;
        if (stopped.includes(ref)) run.cancel();
      }
    } catch (error) {
      log.warn({ error: String(error) }, 'renewing leases failed');
    }
  }

  #lose(held: Held): void {
    this.#options.log.warn({ threadId: held.ref.threadId }, 'run lost to another process');
    this.#drop(held);
    held.run.abandon();
  }
}

const noSuchRun = (): HttpProblem =>
  new HttpProblem(404, 'no-such-run', 'The server no longer has the chunks of this run.');

/** The number of attempts to send the rest of a run to Redis after it has ended. */
const LAST_TRIES = 20;
