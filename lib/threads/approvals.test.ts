import { expect, test } from 'vitest';
import type { ToolCall } from '#lib/tools/core/tool-call.ts';
import type { PathVerdict } from '#lib/tools/permission/path-rule.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { Approvals } from './approvals.ts';
import { MemoryThreadStore } from './memory-thread-store.ts';
import { MessageTree } from './message-tree.ts';
import { threadOf } from './test/store-contract.ts';
import { ThreadRecord } from './thread-record.ts';

const RULED: PathVerdict = { type: 'ask', found: [{ path: '/secret/a', effect: 'write', pattern: 'secret/**' }] };

function createApprovals() {
  const settings = { model: null, systemPrompt: null, toolCalling: 'native' as const, toolsets: ['files'] };
  const record = new ThreadRecord(threadOf('t', { settings }), new MessageTree([]), {
    store: new MemoryThreadStore(),
    maySave: () => true,
    askedElsewhere: () => [],
  });
  return new Approvals(record, {
    permissions: () => ({ files: { write: 'ask' } }),
    policySetAt: () => undefined,
    isKnown: () => undefined,
    remember: async () => undefined,
    allowAlways: async () => undefined,
  });
}

const CALL: ToolCall = { toolCallId: 'c', toolName: 'write_file', input: { path: '/a' }, inputState: 'complete' };

const ask = (approvals: Approvals, call: ToolCall, paths?: PathVerdict) => {
  const tool = toolRegistry.get('write_file');
  if (tool === undefined) throw new Error('There is no write_file.');
  const { signal } = new AbortController();
  return approvals.ask(call, tool, { paths, stop: signal, detach: signal });
};

test('an answer that was given ahead is used if the call asks about nothing but its changes', async () => {
  const approvals = createApprovals();
  approvals.answer('c', { type: 'allow', scope: 'once', isAhead: true });
  expect(await ask(approvals, CALL)).toEqual({ type: 'allow' });
});

test.each<[string, ToolCall, PathVerdict | undefined]>([
  ['a rule about a path', CALL, RULED],
  ['text from elsewhere', { ...CALL, origin: { type: 'shown', excerpt: 'x' } }, undefined],
])('an answer that was given ahead says nothing about %s', async (_, call, paths) => {
  const approvals = createApprovals();
  approvals.answer('c', { type: 'allow', scope: 'once', isAhead: true });
  const asked = ask(approvals, call, paths);
  await Promise.resolve();
  approvals.answer('c', { type: 'deny', reason: 'No.' });
  expect(await asked).toEqual({ type: 'deny', reason: 'No.' });
});
