import { afterEach, beforeEach, expect, test } from 'vitest';
import { CliBench } from '../lib/cli-bench.ts';
import { WebTestServer } from '../lib/web-server.ts';

let bench: CliBench;
let site: WebTestServer;
beforeEach(async () => {
  bench = await CliBench.start();
  site = await WebTestServer.start();
});
afterEach(async () => {
  await site.stop();
  await bench.stop();
});

const call = (name: string, input: object) => ({ name, arguments: JSON.stringify(input) });

const configure = (web: string) => bench.write({ '.roundtrip/config.yaml': `web:\n  enabled: true\n${web}` });

const resultOf = (question: string): string =>
  String(
    bench.model
      .requestsFor(question)
      .at(-1)
      ?.messages.findLast(({ role }) => role === 'tool')?.content,
  );

test('a page is read as Markdown once the configuration allows its host, and each request is told', async () => {
  configure(`  allow: ['${site.host}']\n`);
  bench.model.script('Read it', [{ calls: [call('fetch_url', { url: `${site.url}/trees` })] }, { text: 'Read.' }]);
  const { code, stdout } = await bench.run(['run', 'Read it', '--json']);
  expect(code).toBe(0);
  expect(resultOf('Read it')).toContain('# Trees of the park');
  expect(site.requests).toEqual(['GET /trees']);
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.filter(({ type }) => type === 'request')).toEqual([
    {
      type: 'request',
      toolCallId: expect.any(String),
      toolName: 'fetch_url',
      decision: 'always',
      host: site.host,
      status: 200,
      sent: expect.any(Number),
      received: expect.any(Number),
    },
  ]);
});

test('a host that nobody allows is denied, and that is told', async () => {
  configure('');
  bench.model.script('Read it', [{ calls: [call('fetch_url', { url: `${site.url}/trees` })] }, { text: 'No.' }]);
  const { code, stderr } = await bench.run(['run', 'Read it']);
  expect(code).toBe(3);
  expect(stderr).toContain(`request of fetch_url to ${site.host} (denied): fetch_url needs the user's permission`);
  expect(site.requests).toEqual([]);
});

test('without “enabled”, there is no such tool', async () => {
  bench.model.script('Read it', [{ calls: [call('fetch_url', { url: `${site.url}/trees` })] }, { text: 'No.' }]);
  await bench.run(['run', 'Read it', '--yes']);
  expect(resultOf('Read it')).toContain('There is no tool "fetch_url"');
  expect(site.requests).toEqual([]);
});

test('metadata services are refused even with --yes', async () => {
  configure('');
  const url = 'http://169.254.169.254/latest/meta-data';
  bench.model.script('Read it', [{ calls: [call('fetch_url', { url })] }, { text: 'No.' }]);
  await bench.run(['run', 'Read it', '--yes']);
  expect(resultOf('Read it')).toContain('Not sent.');
});
