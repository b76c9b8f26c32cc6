import type { Sandbox } from '#lib/sandbox/sandbox.ts';
import type { SandboxSession } from '#lib/sandbox/sandbox-session.ts';
import type { JavaScriptEvaluator } from '#lib/tools/capabilities/sandbox.ts';
import type { Tools } from './tools.ts';

export type { ConsoleEntry } from '#lib/sandbox/console-record.ts';
export type { SandboxSession } from '#lib/sandbox/sandbox-session.ts';

/**
 * The sandbox in which JavaScript runs apart from the page, loaded when code first runs. Each thread has a session, in which
 * code continues with what earlier code has declared.
 */
export class SandboxSessions {
  readonly #tools: Pick<Tools, 'load'>;
  #sandbox: Promise<Sandbox> | undefined;

  constructor(tools: Pick<Tools, 'load'>) {
    this.#tools = tools;
  }

  /** Opens a thread's session, or returns the one that is open. Never rejects. */
  async open(threadId: string): Promise<SandboxSession> {
    return (await this.load()).session(threadId);
  }

  /** Ends a thread's session, if it has one. */
  async close(threadId: string): Promise<void> {
    (await this.#sandbox)?.close(threadId);
  }

  /** Loads the sandbox, once. Never rejects. */
  load(): Promise<Sandbox> {
    this.#sandbox ??= this.#load();
    return this.#sandbox;
  }

  /** The evaluator for the model's calls in a thread. */
  evaluatorOf(threadId: string): JavaScriptEvaluator {
    return { evaluate: async (code, options) => (await this.open(threadId)).evaluate(code, options) };
  }

  /** Makes JavaScript of TypeScript, for a session. Rejects with an error that says why that is not possible. */
  async javaScriptOf(code: string, signal: AbortSignal): Promise<string> {
    return (await import('#lib/sandbox/preview/strip-types.ts')).stripTypes(code, signal);
  }

  /** Loads the sandbox after the tools, with which its code comes, and which are retried until they load. */
  async #load(): Promise<Sandbox> {
    await this.#tools.load();
    const { Sandbox } = await import('#lib/sandbox/sandbox.ts');
    return new Sandbox(document.documentElement.dataset.sandboxOrigin);
  }
}
