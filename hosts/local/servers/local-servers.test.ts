import { afterEach, expect, test, vi } from 'vitest';
import { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import { LocalServers } from './local-servers.ts';
import { ServerLink } from './server-link.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('the start waits for 30 seconds, and then names the servers that have not answered', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const bothConnect = Promise.withResolvers<void>();
  vi.spyOn(ServerLink.prototype, 'connect')
    .mockImplementationOnce(async () => undefined)
    .mockImplementationOnce(() => {
      bothConnect.resolve();
      return new Promise(() => undefined);
    });
  const notices: string[] = [];
  const server = { type: 'program', command: 'none', args: [], env: [], allow: [], cwd: '/', at: 'mcp.yaml' } as const;
  let isOpen = false;
  const opening = LocalServers.open({
    servers: ['quick', 'mute'].map((name) => ({ ...server, name })),
    root: '/work',
    env: {},
    registry: new ToolRegistry([]),
    asksForms: false,
    onNotice: (text) => notices.push(text),
  }).finally(() => {
    isOpen = true;
  });
  await bothConnect.promise;
  await vi.advanceTimersByTimeAsync(29_999);
  expect([isOpen, notices]).toEqual([false, []]);
  await vi.advanceTimersByTimeAsync(1);
  await opening;
  expect(notices).toEqual(['The tool server “mute” has not answered yet. Its tools are offered once it does.']);
});
