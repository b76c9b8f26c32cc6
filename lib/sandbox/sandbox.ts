import { CodeCompiler } from './compiler/code-compiler.ts';
import { Frame, FrameNotStarted, type FrameOptions } from './frame.ts';
import { HostChoice, whileServed } from './host-choice.ts';
import { SESSIONS_MAX } from './limits.ts';
import { type OpenedFrame, type PageHooks, SandboxSession, type SessionEnvironment } from './sandbox-session.ts';
import { hasOwnThread } from './thread-probe.ts';

/** The functions that a previewed page provides to its session. */
interface PageEnvironment extends PageHooks {
  /** Returns the element in which the next window is shown. */
  shownIn(): NonNullable<FrameOptions['shownIn']>;
}

/**
 * The sandbox of the studio's page: sessions by name, each in a frame with an opaque origin on its own host, so that a busy
 * one blocks neither the page nor the others. If the browser runs frames on the page's thread, code runs in workers inside
 * them.
 */
export class Sandbox {
  readonly #hosts: HostChoice;
  readonly #compiler = new CodeCompiler();
  /** Least recently used first. */
  readonly #sessions = new Map<string, SandboxSession>();
  /** Whether frames have been found to have a separate thread. If they have not, this is checked again. */
  #isApart = false;

  /** `sandboxOrigin`: configured by the operator, with `*` as a placeholder for a session's label. */
  constructor(sandboxOrigin: string | undefined) {
    this.#hosts = new HostChoice(sandboxOrigin);
  }

  /**
   * Returns the session with that name, which starts with its first evaluation. If too many are open, closes idle ones, the
   * least recently used first.
   */
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

  /** Closes the session with that name, if there is one. */
  close(name: string): void {
    this.#sessions.get(name)?.reset();
    this.#sessions.delete(name);
  }

  readonly #environment: SessionEnvironment = {
    openFrame: (abortSignal) => whileServed(() => this.#openFrame(abortSignal), FrameNotStarted, abortSignal),
    compile: (source, declared, abortSignal) =>
      whileServed(() => this.#compiler.compile(source, declared), Error, abortSignal),
  };

  /**
   * Creates a session for previewed pages, in a visible window, separate from the named sessions. `page`: the functions that
   * the page provides.
   */
  createPage(page: PageEnvironment): SandboxSession {
    return new SandboxSession({
      ...page,
      compile: this.#environment.compile,
      openFrame: (abortSignal) =>
        whileServed(
          async () => opened(await this.#openOnHost({ shownIn: page.shownIn() }, abortSignal)),
          FrameNotStarted,
          abortSignal,
        ),
    });
  }

  /**
   * Checks whether the browser runs frames on another thread than the studio's page, with a temporary frame if it is not
   * known yet.
   */
  async isApart(abortSignal: AbortSignal): Promise<boolean> {
    if (this.#isApart) return true;
    const frame = await this.#openOnHost({}, abortSignal);
    this.#isApart ||= await hasOwnThread(frame);
    frame.close();
    return this.#isApart;
  }

  async #openFrame(abortSignal: AbortSignal): Promise<OpenedFrame> {
    const frame = await this.#openOnHost({}, abortSignal);
    this.#isApart ||= await hasOwnThread(frame);
    if (this.#isApart) return opened(frame);
    frame.close();
    return opened(await Frame.open(frame.host, { inWorker: true }, abortSignal), { hasNoDom: true });
  }

  #openOnHost(options: FrameOptions, abortSignal: AbortSignal): Promise<Frame> {
    return this.#hosts.open((host) => Frame.open(host, options, abortSignal));
  }
}

/** Adds to a frame the properties that its outcomes have: `setting`, and `sharesHost` if it is on the studio's own host. */
function opened(frame: Frame, setting: OpenedFrame['setting'] = {}): OpenedFrame {
  return { frame, setting: { ...setting, ...(frame.host.kind === 'same' && { sharesHost: true }) } };
}
