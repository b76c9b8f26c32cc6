import { delay } from '#lib/base/delay.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import { FrameNotStarted } from './frame.ts';
import { SANDBOX_FRAME_PATH } from './frame-document.ts';
import { type FrameHost, frameHosts } from './hosts.ts';

/** The interval between two checks whether the studio's server is available again, in milliseconds. */
const SERVER_POLL_MS = 1_000;

/**
 * Opens frames on the best web host that works (see `FrameHost`), and remembers which kind of host that is, so that better
 * kinds are not tried again.
 */
export class HostChoice {
  readonly #sandboxOrigin: string | undefined;
  /** The kind of host of the last frame; better kinds are not tried again. */
  #kind: FrameHost['kind'] = 'own';

  /** `sandboxOrigin`: configured by the operator, with `*` as a placeholder for a frame's label. */
  constructor(sandboxOrigin: string | undefined) {
    this.#sandboxOrigin = sandboxOrigin;
  }

  /**
   * Calls `open` with one host after the other, best first, until it resolves, and returns its result. Tries the next host
   * only after `FrameNotStarted` while the studio's server is up; otherwise, or if no host is left, rejects with the error of
   * `open`.
   */
  async open<T>(open: (host: FrameHost) => Promise<T>): Promise<T> {
    const label = `s${crypto.randomUUID().replaceAll('-', '')}`;
    const hosts = frameHosts(location.origin, this.#sandboxOrigin, label);
    const first = hosts.findIndex(({ kind }) => kind === this.#kind);
    let failure: unknown = new FrameNotStarted('No host is available.');
    for (const host of hosts.slice(Math.max(0, first))) {
      try {
        const opened = await open(host);
        this.#kind = host.kind;
        return opened;
      } catch (error) {
        if (!(error instanceof FrameNotStarted) || !(await isServed())) throw error;
        failure = error;
      }
    }
    throw failure;
  }
}

/**
 * Runs a task that needs the studio's server, for example to load a frame. If it fails, it has done nothing yet, so it is
 * tried once more as soon as the server answers. `failure`: the class of errors after which it is tried again; others are
 * rethrown. Rejects with `ToolFailure` if it fails again, or with the signal's reason.
 */
export async function whileServed<T>(
  task: () => Promise<T>,
  failure: new (...args: never[]) => Error,
  abortSignal: AbortSignal,
): Promise<T> {
  let wasServed = false;
  for (;;) {
    abortSignal.throwIfAborted();
    try {
      return await task();
    } catch (error) {
      if (abortSignal.aborted || !(error instanceof failure)) throw error;
      if (wasServed) throw new ToolFailure('failed', `The sandbox did not start. ${error.message}`);
      wasServed = await isServed();
      while (!wasServed && !abortSignal.aborted) {
        await delay(SERVER_POLL_MS, abortSignal);
        wasServed = await isServed();
      }
    }
  }
}

async function isServed(): Promise<boolean> {
  try {
    return (await fetch(SANDBOX_FRAME_PATH, { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    // The server is down.
    return false;
  }
}
