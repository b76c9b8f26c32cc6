import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { browserJsEval } from '#lib/tools/browser/browser-js-eval.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import type { ToolCall } from '#lib/tools/core/tool-call.ts';
import { writeFile } from '#lib/tools/files/write-file.ts';
import type { PermissionSettings } from '#lib/tools/permission/policy.ts';
import { fetchUrl } from '#lib/tools/web/fetch-url.ts';
import { type ApprovalAnswer, Approvals } from './approvals.ts';
import { MemoryThreadStore } from './memory-thread-store.ts';
import { MessageTree } from './message-tree.ts';
import { threadOf } from './test/store-contract.ts';
import { grantedHost } from './thread.ts';
import { ThreadRecord } from './thread-record.ts';

let record: ThreadRecord;
let approvals: Approvals;
let permissions: PermissionSettings;
let policySetAt: number | undefined;
/** When hosts were allowed everywhere. */
let everywhere: Map<string, number>;

beforeEach(async () => {
  const store = new MemoryThreadStore();
  const settings = { model: 'm', toolCalling: 'auto' as const, toolsets: ['web', 'browser'], systemPrompt: null };
  const thread = threadOf('t', { settings });
  await store.putThread(thread);
  record = new ThreadRecord(thread, new MessageTree([]), { store, maySave: () => true, askedElsewhere: () => [] });
  permissions = { files: { write: 'ask' } };
  policySetAt = undefined;
  everywhere = new Map();
  approvals = new Approvals(record, {
    permissions: () => permissions,
    policySetAt: () => policySetAt,
    isKnown: () => undefined,
    remember: async () => undefined,
    allowAlways: () => Promise.reject(new Error('All of the web must never be allowed by one answer.')),
    hostAllowedAt: (_, host) => everywhere.get(host),
    async allowHosts(_, hosts) {
      for (const host of hosts) everywhere.set(host, Date.now());
    },
  });
});

const callOf = (url: string, change: Partial<ToolCall> = {}): ToolCall => ({
  toolCallId: 'c',
  toolName: 'fetch_url',
  input: { url },
  inputState: 'complete',
  ...change,
});

const decide = (url: string, change?: Partial<ToolCall>) => approvals.decide(callOf(url, change), fetchUrl, undefined);

async function answer(call: ToolCall, given: ApprovalAnswer, tool: Tool = fetchUrl): Promise<void> {
  const { signal } = new AbortController();
  const asking = approvals.ask(call, tool, { paths: undefined, stop: signal, detach: signal });
  await vi.waitUntil(() => approvals.answer(call.toolCallId.split('/')[0] ?? '', given));
  await asking;
}

test('a question that ends while it is being stored is rejected once, to whom it was asked for', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const isStored = Promise.withResolvers<void>();
  vi.spyOn(record, 'saveActivity').mockImplementation(() => isStored.promise);
  const page = new AbortController();
  const { signal } = new AbortController();
  const signals = { stop: signal, detach: page.signal };
  const asking = approvals.ask(callOf('https://example.org/'), fetchUrl, { paths: undefined, ...signals });
  page.abort(new Error('The page is gone.'));
  await setImmediate();
  isStored.resolve();
  await expect(asking).rejects.toThrow('The page is gone.');
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

describe('a host', () => {
  test('is asked about before the first request', () => {
    expect(decide('https://example.org/')).toEqual({ type: 'ask' });
  });

  test('that is allowed in the thread is known there, and no other is, nor another port', async () => {
    await answer(callOf('https://example.org/a'), { type: 'allow', scope: 'thread' });
    approvals.settled('c');
    expect(decide('https://example.org/b', { toolCallId: 'd' })).toEqual({ type: 'allow', by: 'thread' });
    for (const url of [
      'https://sub.example.org/',
      'https://example.org:8443/',
      'http://example.org/',
      'https://example.org.evil.example/',
      'https://еxample.org/',
    ])
      expect(decide(url, { toolCallId: 'd' }), url).toEqual({ type: 'ask' });
    expect(record.snapshot.thread.grants.map(grantedHost)).toEqual([{ toolset: 'web', host: 'example.org' }]);
  });

  test('that is always allowed is known everywhere, until the policy is set again', async () => {
    await answer(callOf('https://example.org/a'), { type: 'allow', scope: 'always' });
    approvals.settled('c');
    expect(decide('https://example.org/')).toEqual({ type: 'allow', by: 'always' });
    expect(decide('https://other.example/')).toEqual({ type: 'ask' });
    policySetAt = Date.now() + 1;
    expect(decide('https://example.org/')).toEqual({ type: 'ask' });
  });

  test('that is allowed once is known to this call only', async () => {
    await answer(callOf('https://example.org/a'), { type: 'allow', scope: 'once' });
    expect(decide('https://example.org/a')).toEqual({ type: 'allow', by: 'asked' });
    expect(decide('https://example.org/a', { toolCallId: 'd' })).toEqual({ type: 'ask' });
    approvals.settled('c');
    expect(decide('https://example.org/a')).toEqual({ type: 'ask' });
  });

  test('is asked about again, and only once, if the call’s text comes from elsewhere', async () => {
    await answer(callOf('https://example.org/a'), { type: 'allow', scope: 'thread' });
    const origin = { type: 'shown', excerpt: 'x' } as const;
    expect(decide('https://example.org/', { toolCallId: 'd', origin })).toEqual({ type: 'ask', onlyOnce: true });
    await answer(callOf('https://other.example/', { toolCallId: 'd', origin }), { type: 'allow', scope: 'always' });
    expect(everywhere.size).toBe(0);
  });

  test('needs no question where the person allows all of the web, and none can be reached where they deny it', () => {
    permissions = { web: { execute: 'allow' } };
    expect(decide('https://example.org/')).toEqual({ type: 'allow' });
    permissions = { web: { execute: 'deny' } };
    expect(decide('https://example.org/')).toMatchObject({ type: 'deny' });
  });

  test('is asked about for code that may run, and allows the code nothing else', async () => {
    const code = {
      toolCallId: 'c',
      toolName: 'browser_js_eval',
      input: { code: '1' },
      inputState: 'complete',
    } as const;
    await answer(code, { type: 'allow', scope: 'once' }, browserJsEval);
    const inner = { toolCallId: 'c/1' };
    expect(decide('https://example.org/', inner)).toEqual({ type: 'ask' });
    await answer(callOf('https://example.org/', inner), { type: 'allow', scope: 'once' });
    expect(decide('https://example.org/', { toolCallId: 'c/2' })).toEqual({ type: 'allow', by: 'asked' });
    expect(decide('https://other.example/', { toolCallId: 'c/3' })).toEqual({ type: 'ask' });
  });

  test('an answer that came too late for one question of code is none to the next', async () => {
    const { signal } = new AbortController();
    approvals.answer('c', { type: 'allow', scope: 'always' });
    const asking = approvals.ask(callOf('https://example.org/', { toolCallId: 'c/1' }), fetchUrl, {
      paths: undefined,
      stop: signal,
      detach: signal,
    });
    await vi.waitUntil(() => record.snapshot.asking.includes('c'));
    expect(everywhere.size).toBe(0);
    approvals.answer('c', { type: 'deny', reason: 'No.' });
    expect(await asking).toEqual({ type: 'deny', reason: 'No.' });
  });

  test('that code asks for allows it no other tools', async () => {
    const inner = { toolCallId: 'c/1' };
    await answer(callOf('https://example.org/', inner), { type: 'allow', scope: 'once' });
    const write = { toolCallId: 'c/2', input: { path: '/a', content: '' } };
    record.update({
      thread: {
        ...record.snapshot.thread,
        settings: { ...record.snapshot.thread.settings, toolsets: ['web', 'browser', 'files'] },
      },
    });
    expect(approvals.decide(write, writeFile, undefined)).toEqual({ type: 'ask' });
  });
});

test('a call that was allowed once counts as asked when it is decided about again', async () => {
  const call = callOf('', { toolName: 'browser_js_eval', input: { code: '1' } });
  await answer(call, { type: 'allow', scope: 'once' }, browserJsEval);
  expect(approvals.decide(call, browserJsEval, undefined)).toEqual({ type: 'allow', by: 'asked' });
});
