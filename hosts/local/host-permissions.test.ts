import { expect, test } from 'vitest';
import { browserJsEval } from '#lib/tools/browser/browser-js-eval.ts';
import type { ToolCall } from '#lib/tools/core/tool-call.ts';
import { fetchUrl } from '#lib/tools/web/fetch-url.ts';
import { folderConfigSchema } from './config.ts';
import { type Allowed, type Answer, Permissions } from './permissions.ts';

const callOf = (url: string, toolCallId = 'c'): ToolCall => ({
  toolCallId,
  toolName: 'fetch_url',
  input: { url },
  inputState: 'complete',
});
const { signal } = new AbortController();

function permissionsOf(config: object, answer?: Answer) {
  const kept: Pick<Allowed, 'commands' | 'hosts'>[] = [];
  const permissions = new Permissions({
    config: folderConfigSchema.parse(config),
    isYes: false,
    trust: { isKnown: () => undefined, changeOf: () => undefined, remember: () => false },
    ...(answer !== undefined && { ask: async () => answer }),
    allowAlways: (_, only) => kept.push(only),
  });
  return { permissions, kept };
}

const decide = (config: object, url: string) => permissionsOf(config).permissions.decide(callOf(url), fetchUrl).type;

test.each([
  [{}, 'ask'],
  [{ web: { allow: ['example.org'] } }, 'allow'],
  [{ web: { allow: ['EXAMPLE.org:443'] } }, 'allow'],
  [{ web: { allow: ['example.org:8443'] } }, 'ask'],
  [{ web: { allow: ['other.example'] } }, 'ask'],
  [{ web: { allow: ['example.org'], deny: ['example.org'] } }, 'deny'],
  // A permission to run programs does not allow sending anything anywhere.
  [{ permissions: { execute: 'allow' } }, 'ask'],
  [{ tools: { fetch_url: 'allow' } }, 'allow'],
  [{ tools: { fetch_url: 'allow' }, web: { deny: ['example.org'] } }, 'deny'],
  [{ permissions: { execute: 'deny' }, web: { allow: ['example.org'] } }, 'deny'],
] as const)('by the configuration %j, a request is decided: %s', (config, decision) => {
  expect(decide(config, 'https://example.org/page')).toBe(decision);
});

test.each(['https://example.org', 'example.org/path', 'user@example.org', ''])('%j is no host', (host) => {
  expect(folderConfigSchema.safeParse({ web: { allow: [host] } }).success).toBe(false);
});

test('an answer counts for the host: for the call, the session, or from now on', async () => {
  const url = 'https://example.org/';
  const once = permissionsOf({}, { type: 'allow', scope: 'once' });
  await once.permissions.ask(callOf(url), fetchUrl, signal);
  expect(once.permissions.decide(callOf(url), fetchUrl).type).toBe('allow');
  expect(once.permissions.decide(callOf(url, 'd'), fetchUrl).type).toBe('ask');
  once.permissions.settled('c');
  expect(once.permissions.decide(callOf(url), fetchUrl).type).toBe('ask');
  for (const scope of ['session', 'always'] as const) {
    const { permissions, kept } = permissionsOf({}, { type: 'allow', scope });
    await permissions.ask(callOf(url), fetchUrl, signal);
    permissions.settled('c');
    const by = scope === 'session' ? 'thread' : 'always';
    expect(permissions.decide(callOf(url, 'd'), fetchUrl)).toEqual({ type: 'allow', by });
    expect(permissions.decide(callOf('https://other.example/', 'd'), fetchUrl).type).toBe('ask');
    expect(kept).toEqual(scope === 'always' ? [{ hosts: ['example.org'] }] : []);
  }
});

test('code that may run still asks for each host', async () => {
  const { permissions } = permissionsOf({}, { type: 'allow', scope: 'once' });
  const code: ToolCall = { ...callOf(''), toolName: 'browser_js_eval', input: { code: '1' } };
  await permissions.ask(code, browserJsEval, signal);
  expect(permissions.decide(callOf('https://example.org/', 'c/1'), fetchUrl).type).toBe('ask');
  await permissions.ask(callOf('https://example.org/', 'c/1'), fetchUrl, signal);
  expect(permissions.decide(callOf('https://example.org/x', 'c/2'), fetchUrl).type).toBe('allow');
  expect(permissions.decide(callOf('https://other.example/', 'c/3'), fetchUrl).type).toBe('ask');
});
