import type { Sandbox } from '#lib/sandbox/sandbox.ts';
import type { SandboxSession } from '#lib/sandbox/sandbox-session.ts';
import type { JavaScriptEvaluator } from '#lib/tools/tool.ts';

export type { ConsoleEntry } from '#lib/sandbox/console-record.ts';
export type { SandboxSession } from '#lib/sandbox/sandbox-session.ts';

/** Where code runs: the sandbox, which is loaded with the first code there is, with a session for each thread. */
export class SandboxSessions {
  #sandbox: Promise<Sandbox> | undefined;

  async open(threadId: string): Promise<SandboxSession> {
    this.#sandbox ??= load();
    // A server that was away is asked again the next time.
    this.#sandbox.catch(() => {
      this.#sandbox = undefined;
    });
    return (await this.#sandbox).session(threadId);
  }

  /** For the model's calls in a thread. */
  evaluatorOf(threadId: string): JavaScriptEvaluator {
    return { evaluate: async (code, options) => (await this.open(threadId)).evaluate(code, options) };
  }
}

async function load(): Promise<Sandbox> {
  const { Sandbox } = await import('#lib/sandbox/sandbox.ts');
  return new Sandbox(document.documentElement.dataset.sandboxOrigin);
}
