import { beforeEach, expect, test } from 'vitest';
import { externalTool } from '../catalogue/external-tool.ts';
import { ToolRegistry } from '../catalogue/registry.ts';
import type { PermissionDecision } from '../permission/permission.ts';
import { MapLedger } from '../test/map-ledger.ts';
import { fetchUrl } from '../web/fetch-url.ts';
import { createToolExecutor, type PermissionAnswer } from './executor.ts';
import { ToolHost } from './host.ts';

/** The recorded permissions and denials. */
let noted: unknown[];
beforeEach(() => {
  noted = [];
});

const foreign = externalTool({
  name: 'far_act',
  toolset: 'mcp-far',
  effect: 'execute',
  inputSchema: { type: 'object' },
  description: 'Acts.',
  sendsTo: ['far.example'],
  execute: async () => ({ content: 'Done.' }),
});

async function run(decision: PermissionDecision, answer?: PermissionAnswer, toolName = foreign.name) {
  const web = { request: () => Promise.reject(new Error('no web')), read: () => Promise.reject(new Error('no web')) };
  const executor = createToolExecutor({
    host: new ToolHost(new ToolRegistry([foreign, fetchUrl]), { web }),
    ledger: new MapLedger(),
    claimant: 'tab',
    fence: async () => undefined,
    hasCommitted: async () => false,
    decide: () => decision,
    ask: async () => answer ?? { type: 'allow' },
    egress: {
      allowed: ({ toolCallId }, by) => noted.push([toolCallId, by]),
      denied: ({ toolCallId }, hosts, reason) => noted.push([toolCallId, hosts, reason]),
      sent: () => undefined,
    },
  });
  const { signal } = new AbortController();
  const input = toolName === fetchUrl.name ? { url: 'https://example.org/private' } : {};
  return executor.execute(
    { toolCallId: 'call', toolName, input, inputState: 'complete' },
    { stop: signal, detach: signal },
  );
}

test.each<[PermissionDecision, PermissionAnswer | undefined, string]>([
  [{ type: 'ask' }, { type: 'allow' }, 'asked'],
  // Nobody was asked: the command line was told to say yes to everything.
  [{ type: 'ask' }, { type: 'allow', unasked: true }, 'policy'],
  [{ type: 'allow', by: 'always' }, undefined, 'always'],
  [{ type: 'allow', by: 'thread' }, undefined, 'thread'],
  [{ type: 'allow', by: 'asked' }, undefined, 'asked'],
  [{ type: 'allow' }, undefined, 'policy'],
])('a call of an external tool that runs by %j and %j is taken down as %s', async (decision, answer, by) => {
  expect(await run(decision, answer)).toMatchObject({ type: 'tool-result' });
  expect(noted).toEqual([['call', by]]);
});

test('a call that is denied is taken down with the hosts that its tool sends requests to, and a reason', async () => {
  await run({ type: 'deny', reason: 'The settings say no.' });
  await run({ type: 'ask' }, { type: 'deny', reason: 'Nobody could be asked.', unasked: true });
  // A person's message to the model is not recorded.
  await run({ type: 'ask' }, { type: 'deny', reason: 'The user said: my password is 0815' });
  await run({ type: 'deny', reason: 'No.' }, undefined, fetchUrl.name);
  expect(noted).toEqual([
    ['call', ['far.example'], 'The settings say no.'],
    ['call', ['far.example'], 'Nobody could be asked.'],
    ['call', ['far.example'], 'The user did not allow it.'],
    ['call', ['example.org'], 'No.'],
  ]);
});
