import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkScenario } from '#e2e/lib/scenarios/checks.ts';
import { parseScenario, promptedReply, type Scenario, type ScenarioVariant } from '#e2e/lib/scenarios/scenario.ts';
import { userMessage } from '#lib/agent/test/messages.ts';
import { pendingCalls, toToolCall } from '#lib/messages/apply-chunk.ts';
import { lastKnownHash } from '#lib/messages/branch-knowledge.ts';
import type { AssistantMessage, Message } from '#lib/messages/message.ts';
import { CODEC_IDS, codecOf } from '#lib/prompts/codecs/codecs.ts';
import type { JavaScriptEvaluator } from '#lib/tools/capabilities/sandbox.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import { executeBatch } from '#lib/tools/execution/batch.ts';
import { createToolExecutor } from '#lib/tools/execution/executor.ts';
import { ToolHost } from '#lib/tools/execution/host.ts';
import { MapLedger } from '#lib/tools/test/map-ledger.ts';
import { testCapabilities } from '#lib/tools/test/run-tool.ts';
import { TOOLSETS } from '#lib/tools/toolset-names.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { describeModelError } from '#models/problems.ts';
import { testContext } from './test/fixtures.ts';
import { ModelServer } from './test/model-server.ts';
import { openThread } from './test/open-thread.ts';

/** Every scenario in every call format, without a browser: the graph, the tools and a script over real HTTP. */

const FOLDER = join(import.meta.dirname, '..', '..', 'e2e', 'scenarios');
const scenarios = readdirSync(FOLDER).map((file) => parseScenario(readFileSync(join(FOLDER, file), 'utf8'), file));

let model: ModelServer;

beforeAll(async () => {
  model = await ModelServer.start();
});

afterEach(() => model.reset());

afterAll(() => model.stop());

test('every reply that calls a tool is written in every format', () => {
  const turns = scenarios.flatMap(({ variants }) => variants.flatMap((variant) => variant.turns?.flat() ?? []));
  expect(turns.filter(({ calls, codecs }) => calls.length > 0 && codecs === undefined)).toEqual([]);
});

describe.each(CODEC_IDS)('%s', (codec) => {
  test.each(
    scenarios.flatMap((scenario) =>
      scenario.variants.map((variant) => ({ title: `${scenario.title} (${variant.language})`, scenario, variant })),
    ),
  )('$title', async ({ scenario, variant }) => {
    const outcome = await play(scenario, variant, codec);
    expect(checkScenario(scenario, variant, outcome)).toEqual([]);
    for (const { tools, messages } of model.requests) {
      expect(tools).toBeUndefined();
      expect(messages[0]?.content).toContain(SIGN_OF[codec] ?? codecOf(codec).reminder);
    }
  });
});

/** Text that appears only in the description of this format. */
const SIGN_OF: Readonly<Record<string, string>> = {
  json: '"tool_calls":[',
  object: 'in a fence, and stop',
  raw: '<<<NAME',
  xml: '<parameter=argument>',
  delimited: '@@call TOOL_NAME',
};

async function play(scenario: Scenario, variant: ScenarioVariant, codec: string) {
  const fileSystem = await workspaceOf(scenario);
  /** The messages including the current turn. */
  let branch: readonly Message[] = [];
  const host = new ToolHost(toolRegistry, testCapabilities(fileSystem, { sandbox: evaluator }));
  const executor = createToolExecutor({
    host,
    fence: (toolCallId, previous) => fileSystem.history.fence(toolCallId, previous),
    known: {
      hashOf: (path) => lastKnownHash(branch, path, (name) => toolRegistry.get(name)?.effect === 'read'),
      hasSeen: () => false,
      textOf: async () => undefined,
    },
    hasCommitted: async (id) => (await fileSystem.history.pointAfter(id)) !== undefined,
    ledger: new MapLedger(),
    claimant: 'test',
    decide: ({ toolName }) =>
      scenario.permission === 'deny' && toolName === 'browser_js_eval' ? { type: 'ask' } : { type: 'allow' },
    ask: async () => ({ type: 'deny', reason: 'The person said no.' }),
  });
  const context = testContext(model.url);
  const thread = openThread({
    ...context,
    toolCalling: 'prompted',
    toolsets: TOOLSETS,
    model: { ...context.model, protocol: { codec } },
  });
  const messages: Message[] = [];
  const turns: AssistantMessage[] = [];
  for (const [index, prompt] of variant.prompts.entries()) {
    model.reply(...(variant.turns?.[index] ?? []).map((turn) => ({ text: promptedReply(turn, codec) })));
    messages.push(userMessage(prompt));
    let { error } = await thread.ask(...messages);
    for (;;) {
      branch = [...messages, await thread.turn()];
      const calls = pendingCalls(await thread.turn());
      if (calls.length === 0) break;
      const { signal } = new AbortController();
      const signals = { stop: signal, detach: signal };
      const batch = { executor, host, signals, onResult: () => undefined };
      ({ error } = await thread.answer(await executeBatch(calls.map(toToolCall), batch)));
    }
    const turn = await thread.turn();
    const status = error === undefined ? ({ type: 'done' } as const) : failed(error);
    turns.push({ ...turn, id: crypto.randomUUID(), status });
    messages.push(...turns.slice(-1));
  }
  return { turns, files: await filesOf(fileSystem) };
}

const failed = (error: unknown) => ({ type: 'failed', problem: describeModelError(error) }) as const;

async function workspaceOf({ workspace }: Scenario): Promise<MemoryFileSystem> {
  const fileSystem = new MemoryFileSystem();
  await fileSystem.transaction({ type: 'person' }, async (tx) => {
    for (const [path, content] of Object.entries(workspace)) tx.writeFile(path, new TextEncoder().encode(content));
  });
  return fileSystem;
}

async function filesOf(fileSystem: FileSystem, path = '/'): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const { name, type } of await fileSystem.readdir(path)) {
    const inner = join(path, name);
    if (type === 'directory') for (const entry of await filesOf(fileSystem, inner)) files.set(...entry);
    else files.set(inner, new TextDecoder().decode(await fileSystem.readFile(inner)));
  }
  return files;
}

/** Replaces the browser's sandbox, for trusted code from this project. */
const evaluator: JavaScriptEvaluator = {
  async evaluate(code) {
    try {
      return { value: { type: 'text', text: inspect(runInContext(code, createContext())) }, console: [] };
    } catch (error) {
      throw new ToolFailure('failed', String(error));
    }
  },
};
