import type { AgentModel } from '#lib/agent/agent-model.ts';
import { playTurn, type TurnOptions } from '#lib/agent/loop.ts';
import { toToolCall } from '#lib/messages/apply-chunk.ts';
import { hasSeen, lastKnownHash } from '#lib/messages/branch-knowledge.ts';
import type { AssistantMessage, Message } from '#lib/messages/message.ts';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { catalogueText, readCatalogue } from '#lib/tools/catalogue/catalogue.ts';
import { executeBatch } from '#lib/tools/execution/batch.ts';
import { createToolExecutor } from '#lib/tools/execution/executor.ts';
import { ToolHost } from '#lib/tools/execution/host.ts';
import { fragments, toolRegistry } from '#lib/tools/toolsets.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { createLocalSearch } from '#lib/workspace/search/local-search.ts';

/**
 * The smallest possible host: files in memory and a search, without a browser, a server, or a person to ask. All calls are
 * allowed. Benchmarks play turns with it.
 */
export class MemoryHost {
  readonly files = new MemoryFileSystem();
  readonly tools = new ToolHost(toolRegistry, { files: this.files, search: createLocalSearch(this.files) });
  #branch: readonly Message[] = [];

  readonly #isReading = (toolName: string): boolean => this.tools.get(toolName)?.effect === 'read';

  readonly #executor = createToolExecutor({
    host: this.tools,
    ledger: new MemoryThreadStore(),
    claimant: crypto.randomUUID(),
    fence: (toolCallId, previous) => this.files.history.fence(toolCallId, previous),
    hasCommitted: async (toolCallId) => (await this.files.history.pointAfter(toolCallId)) !== undefined,
    decide: () => ({ type: 'allow' }),
    ask: async () => ({ type: 'deny', reason: 'Nobody is here.' }),
    known: {
      hashOf: (path) => lastKnownHash(this.#branch, path, this.#isReading),
      hasSeen: (hash) => hasSeen(this.#branch, hash, this.#isReading),
      textOf: async () => undefined,
    },
  });

  /** Plays a turn that answers the last message, and resolves with the turn. Rejects like `playTurn`. */
  play(model: AgentModel, messages: readonly Message[], options: Partial<TurnOptions> = {}): Promise<AssistantMessage> {
    const { signal } = new AbortController();
    const toolsets = [...new Set(this.tools.list().map(({ toolset }) => toolset))];
    const turn = { id: crypto.randomUUID(), role: 'assistant', createdAt: Date.now() } as const;
    return playTurn({
      messages: [...messages, { ...turn, parts: [], status: { type: 'running', runId: '' } }],
      model,
      catalogue: readCatalogue(catalogueText(this.tools.list(), fragments)),
      settings: { systemPrompt: '', toolsets, toolCalling: model.toolCalling === 'prompted' ? 'prompted' : 'native' },
      limits: { maxSteps: 25, resultShare: 0.25, replyMaxChars: 100_000, maxRetries: 0 },
      abortSignal: signal,
      emit: () => undefined,
      execute: async (calls, branch) => {
        this.#branch = branch;
        const signals = { stop: signal, detach: signal };
        const batch = { executor: this.#executor, host: this.tools, signals, onResult: () => undefined };
        return executeBatch(calls.map(toToolCall), batch);
      },
      ...options,
    });
  }
}
