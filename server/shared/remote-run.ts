import { delay } from '#lib/base/delay.ts';
import { HEARTBEAT_MS } from '#lib/wire/heartbeat.ts';
import { SIGN_OF_LIFE, STREAM_END } from '#server/runs/run.ts';
import type { ReadableRun } from '#server/runs/runs.ts';
import type { Ownership, RunRef } from './ownership.ts';
import type { RunStreams } from './run-streams.ts';

/** The time after which a stream is read again even without a hint that it has grown, in milliseconds: hints may be lost. */
const READ_AGAIN_MS = 2_000;

/** The number of times that a stream without new chunks is read before the run's owner is looked for. */
const QUIET_READS = 2;

/** The number of times that the stream of a run that has ended is read while its end is missing. */
const ENDED_READS = 5;

/** A run that another process executes. Its chunks are read from Redis. */
export class RemoteRun implements ReadableRun {
  readonly #run: RunRef;
  readonly #streams: RunStreams;
  readonly #ownership: Ownership;

  constructor(run: RunRef, streams: RunStreams, ownership: Ownership) {
    this.#run = run;
    this.#streams = streams;
    this.#ownership = ownership;
  }

  /**
   * The run's chunks, as `Run.stream` gives them. If the process that owns the run dies, the stream ends without saying that the
   * run has ended. While Redis is away, only signs of life come.
   */
  stream(from: number): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    const ended = new AbortController();
    let wake = new AbortController();
    const onWake = () => {
      wake.abort();
      wake = new AbortController();
    };
    let next = from;
    let signs: NodeJS.Timeout | undefined;
    const close = () => {
      clearInterval(signs);
      ended.abort();
      onWake();
    };
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        signs = setInterval(() => {
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(SIGN_OF_LIFE));
        }, HEARTBEAT_MS).unref();
        // Without hints, the stream is only read less often.
        void this.#streams.follow(this.#run, onWake).then(
          (unfollow) => (ended.signal.aborted ? unfollow() : ended.signal.addEventListener('abort', unfollow)),
          () => undefined,
        );
      },
      pull: async (controller) => {
        for (let quiet = 0; !ended.signal.aborted; quiet++) {
          const hint = wake;
          // While Redis is away, nothing is known to be there.
          const read = await this.#streams.read(this.#run, next).catch(() => undefined);
          if (ended.signal.aborted) return;
          const { chunks = [], isOver = false } = read ?? {};
          next += chunks.length;
          const events = chunks.map(({ number, data }) => `id: ${number}\ndata: ${data}\n\n`).join('');
          if (events !== '' || isOver) controller.enqueue(encoder.encode(isOver ? events + STREAM_END : events));
          const isCut = chunks.length === 0 && !isOver && quiet >= QUIET_READS && (await this.#isLost(quiet));
          if (isOver || isCut) {
            close();
            return controller.close();
          }
          if (chunks.length > 0) return;
          if (hint === wake) await delay(READ_AGAIN_MS, wake.signal);
        }
      },
      cancel: close,
    });
  }

  /**
   * Checks whether nobody writes to the stream anymore: the run has lost its owner, or it has ended and its end has been
   * missing for long. The owner of a run that has ended may still be writing for a while. `quiet`: the number of reads so far
   * without a new chunk. False while the database is away, because then nobody knows.
   */
  async #isLost(quiet: number): Promise<boolean> {
    const state = await this.#ownership.stateOf(this.#run).catch(() => 'active');
    return state === 'orphaned' || (state === 'ended' && quiet >= ENDED_READS);
  }
}
