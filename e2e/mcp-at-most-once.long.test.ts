import { expose } from 'comlink';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { KeyVault } from '#lib/keys/key-vault.ts';
import { McpClient } from '#lib/sources/mcp/mcp-client.ts';
import { McpHost } from '#lib/sources/mcp/mcp-host.ts';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import type { ToolCall, ToolResult } from '#lib/tools/core/tool-call.ts';
import { createToolExecutor, type ToolExecutor } from '#lib/tools/execution/executor.ts';
import { ToolHost } from '#lib/tools/execution/host.ts';
import type { CallLedger } from '#lib/tools/execution/ledger.ts';
import { McpServers } from '#studio/sources/mcp/mcp-servers.ts';
import { noLogins } from '#studio/sources/mcp/test/direct-connection.ts';
import { McpTestServer } from './lib/mcp-server.ts';

/** The number of times that a call is disturbed. */
const RUNS = 50;

/** The ways in which a call is disturbed. `reload`: the page goes, and another one takes over. */
const MISHAPS = ['kill the worker', 'break the connection', 'restart the server', 'reload'] as const;

/**
 * The moments of the disturbance: as soon as the call is made, once the server has begun to run it, or as it answers.
 */
const MOMENTS = ['made', 'begun', 'answered'] as const;

let server: McpTestServer;
let store: MemoryThreadStore;

beforeEach(async () => {
  server = await McpTestServer.start();
  store = new MemoryThreadStore();
  const config = { name: 'weather', url: server.url, isOn: true, headers: [] };
  await store.putSetting('mcp-servers', [config]);
});

afterEach(() => server.stop());

/** A page over the test's storage, with the executor of a thread. Its worker runs in this thread. */
class Page {
  readonly registry = new ToolRegistry([]);
  readonly #workers: { terminate(): void }[] = [];
  readonly #fetch: typeof fetch;
  #executor: ToolExecutor | undefined;
  #isGone = false;

  constructor(request: typeof fetch) {
    this.#fetch = request;
  }

  static async open(request: typeof fetch): Promise<Page> {
    const page = new Page(request);
    const servers = await McpServers.open({
      store,
      registry: page.registry,
      vault: async () => ({}) as KeyVault,
      logins: noLogins(async () => ({}) as KeyVault),
      createClient: () => new McpClient(() => page.#startWorker()),
      listStudioServers: async () => [],
      onNewServers: () => undefined,
    });
    await servers.connect('weather');
    page.#executor = createToolExecutor({
      host: new ToolHost(page.registry, {}),
      ledger: page.#ledger(),
      claimant: crypto.randomUUID(),
      fence: async () => undefined,
      hasCommitted: async () => false,
      decide: () => ({ type: 'allow' }),
      ask: async () => ({ type: 'allow' }),
    });
    return page;
  }

  execute(call: ToolCall): Promise<ToolResult> {
    if (this.#executor === undefined) throw new Error('The page is not open.');
    const signal = new AbortController().signal;
    return this.#executor.execute(call, { stop: signal, detach: signal });
  }

  /** Kills the worker, with its requests, as a browser does when it runs out of memory. */
  kill(): void {
    for (const worker of this.#workers.splice(0)) worker.terminate();
  }

  /** Ends the page: nothing of it is stored any more, and its requests end. */
  leave(): void {
    this.#isGone = true;
    this.kill();
  }

  /** Returns the ledger in which the page stores calls, until it goes. */
  #ledger(): CallLedger {
    const unlessGone = async <Value>(work: () => Promise<Value>): Promise<Value> =>
      this.#isGone ? new Promise<never>(() => undefined) : work();
    return {
      get: (id) => unlessGone(() => store.get(id)),
      claim: (...args) => unlessGone(() => store.claim(...args)),
      finish: (...args) => unlessGone(() => store.finish(...args)),
    };
  }

  #startWorker(): Worker {
    const { port1, port2 } = new MessageChannel();
    const requests = new AbortController();
    const host = new McpHost([
      {
        name: 'direct',
        fetch: (input, init) =>
          this.#fetch(new Request(input, init), {
            signal: AbortSignal.any([requests.signal, ...(init?.signal ? [init.signal] : [])]),
          }),
      },
    ]);
    expose(host, port2);
    const failed = new EventTarget();
    const worker = {
      terminate: () => {
        requests.abort();
        failed.dispatchEvent(new Event('error'));
        port1.close();
      },
      postMessage: (message: unknown, transfer: Transferable[]) => port1.postMessage(message, transfer),
      addEventListener: (type: string, listener: EventListener) =>
        type === 'error' ? failed.addEventListener(type, listener) : port1.addEventListener(type, listener),
      removeEventListener: (type: string, listener: EventListener) => port1.removeEventListener(type, listener),
    };
    port1.start();
    this.#workers.push(worker);
    return worker as unknown as Worker;
  }
}

/** Numbers from 0 to below 1 that are the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Requests as a server of the earlier era answers them. */
const legacy: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const { method } = request.method === 'POST' ? await request.clone().json() : { method: '' };
  return method === 'server/discover' ? new Response('', { status: 400 }) : fetch(request);
};

test.each(Array.from({ length: RUNS }, (_, seed) => seed))(
  'run %i: a call that is disturbed runs at most once',
  async (seed) => {
    const random = randomFrom(seed);
    const one = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
    const [mishap, moment, request] = [one(MISHAPS), one(MOMENTS), one([fetch, legacy])];
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    server.onCall = () => begun.resolve();
    server.gate = gate.promise;
    const page = await Page.open(request);
    const call: ToolCall = {
      toolCallId: `call-${seed}`,
      toolName: 'weather_forecast',
      input: { city: 'Lima' },
      inputState: 'complete',
    };
    const first = page.execute(call);
    if (moment !== 'made') await begun.promise;
    if (moment === 'answered') gate.resolve();
    for (let turn = Math.floor(random() * 20); turn > 0; turn--) await new Promise((resolve) => setTimeout(resolve));
    let result: ToolResult;
    if (mishap === 'reload') {
      page.leave();
      result = await (await Page.open(request)).execute(call);
    } else {
      if (mishap === 'kill the worker') page.kill();
      else if (mishap === 'break the connection') server.breakConnections();
      else {
        await server.stop();
        await server.listen();
      }
      // A call that had not got as far as the server yet goes on.
      gate.resolve();
      result = await first;
    }
    gate.resolve();
    const context = `${mishap} when ${moment}: ${JSON.stringify(result)}`;
    expect(server.calls.length, context).toBeLessThanOrEqual(1);
    // It is stored, so it stays, whoever asks next, and nothing runs again.
    const again = await (await Page.open(request)).execute(call);
    expect(server.calls.length, context).toBeLessThanOrEqual(1);
    expect(again, context).toEqual(result);
    const isKnown = result.type === 'tool-result' || ['interrupted', 'failed'].includes(result.code);
    expect(isKnown, context).toBe(true);
    // Nobody says that a call did not run that has run.
    if (result.type === 'tool-error' && result.message.startsWith('Not run')) expect(server.calls, context).toEqual([]);
  },
);
