import { sha256 } from '#lib/base/sha256.ts';
import type { AssistantMessage, UserMessage } from '#lib/messages/message.ts';
import { createHttpTransport } from '#lib/threads/http-transport.ts';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { SoleThreadLock, soleMoveLock } from '#lib/threads/test/sole-locks.ts';
import { threadOf } from '#lib/threads/test/store-contract.ts';
import { ThreadFiles } from '#lib/threads/thread-files.ts';
import { ThreadSession } from '#lib/threads/thread-session.ts';
import { catalogueText } from '#lib/tools/catalogue/catalogue.ts';
import { externalTool } from '#lib/tools/catalogue/external-tool.ts';
import { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import { createToolExecutor } from '#lib/tools/execution/executor.ts';
import { ToolHost } from '#lib/tools/execution/host.ts';
import { judgeCall } from '#lib/tools/permission/path-rules.ts';
import { testCapabilities } from '#lib/tools/test/run-tool.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';

/** Makes all requests of the session's code, whose addresses are relative as in a page, go to a server. */
export function sendRequestsTo(url: string): void {
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) => fetch(typeof input === 'string' ? new URL(input, url) : input, init);
}

/** The number of times that each call has run, by the question and the index of the call in its step. */
export type Executions = Map<string, number>;

/** A thread session as a page has it, without the page: it posts, follows, executes calls, and repeats lost steps. */
export class BenchSession {
  readonly threadId: string;
  readonly #session: ThreadSession;
  readonly #store: MemoryThreadStore;

  static async open(executions: Executions): Promise<BenchSession> {
    const threadId = crypto.randomUUID();
    const store = new MemoryThreadStore();
    const settings = { model: 'paced', toolCalling: 'native' as const, toolsets: ['bench'], systemPrompt: null };
    await store.putThread(threadOf(threadId, { settings }));
    const thread = await store.thread(threadId);
    if (thread === undefined) throw new Error('There is no thread.');
    const registry = new ToolRegistry([]);
    registry.add([countingTool(executions)]);
    const text = catalogueText(registry.list(), []);
    const name = await sha256(text);
    const fileSystem = new MemoryFileSystem();
    const files = new ThreadFiles({
      fileSystem,
      history: fileSystem.history,
      capabilities: testCapabilities(fileSystem),
      moveLock: soleMoveLock,
      saveEdits: async () => undefined,
    });
    const session = await ThreadSession.open(thread, {
      store,
      transport: createHttpTransport(async () => text),
      createLock: (_, host) => new SoleThreadLock(host),
      loadTools: async () => ({ registry, createToolExecutor, ToolHost, judgeCall }),
      catalogue: async () => ({ name }),
      evaluatorOf: () => ({ evaluate: async () => ({ console: [] }) }),
      openFiles: async () => files,
      askMove: async () => 'move',
      onUnknownFiles: () => undefined,
      permissions: () => ({ bench: { read: 'allow', execute: 'allow' } }),
      pathRules: () => [],
      policySetAt: () => undefined,
      isKnown: () => undefined,
      remember: async () => undefined,
      allowAlways: async () => undefined,
      defaults: async () => ({ model: 'paced', systemPrompt: '' }),
    });
    return new BenchSession(threadId, session, store);
  }

  private constructor(threadId: string, session: ThreadSession, store: MemoryThreadStore) {
    this.threadId = threadId;
    this.#session = session;
    this.#store = store;
  }

  /**
   * Asks a question, and resolves with its turn once it has ended. `onProgress`: called whenever the turn has grown.
   */
  async ask(question: string, onProgress: () => void): Promise<AssistantMessage> {
    const message: UserMessage = {
      id: crypto.randomUUID(),
      role: 'user',
      createdAt: Date.now(),
      parts: [{ type: 'text', text: question }],
    };
    const { promise, resolve } = Promise.withResolvers<void>();
    let shown: unknown;
    const unsubscribe = this.#session.subscribe(() => {
      const { branch, busy, thread } = this.#session.getSnapshot();
      const parts = branch.at(-1)?.parts;
      if (parts !== shown) onProgress();
      shown = parts;
      if (!busy && thread.activity === 'settled' && branch.at(-2)?.id === message.id) resolve();
    });
    await this.#session.send(message);
    await promise;
    unsubscribe();
    const last = (await this.#store.messages(this.threadId)).at(-1)?.message;
    if (last?.role !== 'assistant') throw new Error('The last message is not a turn.');
    return last;
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}

function countingTool(executions: Executions) {
  return externalTool({
    name: 'count',
    toolset: 'bench',
    effect: 'execute',
    inputSchema: {
      type: 'object',
      properties: { question: { type: 'string' }, index: { type: 'number' } },
      required: ['question', 'index'],
    },
    async execute(input: unknown) {
      const key = JSON.stringify(input);
      executions.set(key, (executions.get(key) ?? 0) + 1);
      return { content: 'counted' };
    },
  });
}
