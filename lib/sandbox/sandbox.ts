import { ToolFailure } from '#lib/tools/tool.ts';
import { CodeCompiler } from './compiler/code-compiler.ts';
import { Frame, FrameNotStarted, type FrameOptions } from './frame.ts';
import { SANDBOX_FRAME_PATH } from './frame-document.ts';
import { type FrameHost, frameHosts } from './hosts.ts';
import { SESSIONS_MAX } from './limits.ts';
import { type OpenedFrame, type PageHooks, SandboxSession, type SessionEnvironment } from './sandbox-session.ts';

/** A page's part in its session. */
export interface PageEnvironment extends PageHooks {
  /** Where the next window is shown. */
  shownIn(): NonNullable<FrameOptions['shownIn']>;
}

/** How often a server that is away is asked for again, in milliseconds. */
const SERVER_POLL_MS = 1_000;

/**
 * The page's sandbox: sessions by name, each in an opaque frame on a host of its own, so that one that is busy holds up
 * neither the page nor the others. Where the browser puts frames on the page's thread, code runs in workers inside them.
 */
export class Sandbox {
  readonly #sandboxOrigin: string | undefined;
  readonly #compiler = new CodeCompiler();
  /** The longest unused first. */
  readonly #sessions = new Map<string, SandboxSession>();
  /** Where the last frame came from: those before it are not tried again. */
  #hostKind: FrameHost['kind'] = 'own';
  /** Whether frames were seen to have a thread apart from the page's. That they have not is not believed for ever. */
  #isApart = false;

  /** `sandboxOrigin`: the operator's, with a `*` for a session's name. */
  constructor(sandboxOrigin: string | undefined) {
    this.#sandboxOrigin = sandboxOrigin;
  }

  /** The session of that name, which begins when the first evaluation needs it. */
  session(name: string): SandboxSession {
    const session = this.#sessions.get(name) ?? new SandboxSession(this.#environment);
    this.#sessions.delete(name);
    this.#sessions.set(name, session);
    for (const [other, idle] of this.#sessions) {
      if (this.#sessions.size <= SESSIONS_MAX) break;
      if (idle.isBusy) continue;
      idle.reset();
      this.#sessions.delete(other);
    }
    return session;
  }

  /** Ends the session of that name, if there is one. */
  close(name: string): void {
    this.#sessions.get(name)?.reset();
    this.#sessions.delete(name);
  }

  readonly #environment: SessionEnvironment = {
    openFrame: (abortSignal) => whileServed(() => this.#openFrame(abortSignal), FrameNotStarted, abortSignal),
    compile: (source, declared, abortSignal) =>
      whileServed(() => this.#compiler.compile(source, declared), Error, abortSignal),
  };

  /** A session in a window that people see, outside those that have names. `page`: what it does beside. */
  createPage(page: PageEnvironment): SandboxSession {
    return new SandboxSession({
      ...page,
      compile: this.#environment.compile,
      openFrame: (abortSignal) =>
        whileServed(
          async () => ({ frame: await this.#openOnHost({ shownIn: page.shownIn() }, abortSignal), inWorker: false }),
          FrameNotStarted,
          abortSignal,
        ),
    });
  }

  /** Whether frames have a thread apart from the page's, tried in one of its own if it is not known yet. */
  async isApart(abortSignal: AbortSignal): Promise<boolean> {
    if (this.#isApart) return true;
    const frame = await this.#openOnHost({}, abortSignal);
    this.#isApart ||= await frame.isApart();
    frame.close();
    return this.#isApart;
  }

  async #openFrame(abortSignal: AbortSignal): Promise<OpenedFrame> {
    const frame = await this.#openOnHost({}, abortSignal);
    this.#isApart ||= await frame.isApart();
    if (this.#isApart) return { frame, inWorker: false };
    frame.close();
    return { frame: await Frame.open(frame.host, { inWorker: true }, abortSignal), inWorker: true };
  }

  /** A frame on the best host that has one. */
  async #openOnHost(options: FrameOptions, abortSignal: AbortSignal): Promise<Frame> {
    const label = `s${crypto.randomUUID().replaceAll('-', '')}`;
    const hosts = frameHosts(location.origin, this.#sandboxOrigin, label);
    const first = hosts.findIndex(({ kind }) => kind === this.#hostKind);
    let failure: unknown = new FrameNotStarted('There is no host for it.');
    for (const host of hosts.slice(Math.max(0, first))) {
      try {
        const frame = await Frame.open(host, options, abortSignal);
        this.#hostKind = host.kind;
        return frame;
      } catch (error) {
        if (!(error instanceof FrameNotStarted) || !(await isServed())) throw error;
        failure = error;
      }
    }
    throw failure;
  }
}

/**
 * What comes from the studio's server, such as the frame, cannot be had while that is away. Nothing has run then, so
 * nothing has failed: it is tried again when the server answers.
 */
async function whileServed<T>(
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
        await new Promise((resolve) => setTimeout(resolve, SERVER_POLL_MS));
        wasServed = await isServed();
      }
    }
  }
}

async function isServed(): Promise<boolean> {
  try {
    return (await fetch(SANDBOX_FRAME_PATH, { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
