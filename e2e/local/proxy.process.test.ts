import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { checkedFetch } from '#net/checked-fetch.ts';
import { directFetch } from '#net/direct-fetch.ts';
import { startLocalServer } from '#server/test/local-server.ts';
import { CliBench } from '../lib/cli-bench.ts';
import { McpTestServer } from '../lib/mcp-server.ts';
import { modelsFile } from '../lib/models-file.ts';
import { ProxiedNetwork } from '../lib/proxied-network.ts';

let network: ProxiedNetwork;
beforeEach(async () => {
  network = await ProxiedNetwork.start();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await network.stop();
});

describe('roundtrip run', () => {
  let bench: CliBench;
  /** The address of the model in the network. */
  let address: string;
  beforeEach(async () => {
    bench = await CliBench.start();
    address = await network.offer('models', bench.model.url);
    writeFileSync(join(bench.outside, 'models.yaml'), modelsFile(address));
  });
  afterEach(() => bench.stop());

  const hello = (env: Record<string, string>) => {
    bench.model.script('Hi', [{ text: 'Hello.' }]);
    return bench.run(['run', 'Hi'], { env });
  };

  test('reaches a model through the proxy, with a certificate of the network', async () => {
    expect(await hello(network.environment)).toMatchObject({ code: 0, stdout: 'Hello.\n', stderr: '' });
    expect(new Set(network.asked)).toEqual(new Set([new URL(address).host]));
  });

  test.each<[string, () => Record<string, string>, RegExp]>([
    [
      'the certificate is unknown',
      () => ({ NODE_EXTRA_CA_CERTS: '' }),
      /certificate is not trusted.*NODE_EXTRA_CA_CERTS/s,
    ],
    ['the host is not to be proxied', () => ({ NO_PROXY: '.corporate.test' }), /ENOTFOUND|EAI_AGAIN/],
    [
      'the proxy is gone',
      () => ({ HTTPS_PROXY: 'http://127.0.0.1:9' }),
      /The proxy 127\.0\.0\.1:9 cannot be reached.*NO_PROXY/s,
    ],
    ['the proxy is none', () => ({ HTTPS_PROXY: 'ftp://proxy' }), /must be an address such as http:\/\/proxy/],
  ])('says so if %s', async (_, env, reason) => {
    const { code, stderr } = await hello({ ...network.environment, ...env() });
    expect(code).toBe(1);
    expect(stderr).toMatch(reason);
  });

  test('gives the proxy its password, and says so if it is wrong', async () => {
    const expected = `Basic ${Buffer.from('me:secret').toString('base64')}`;
    network.proxy.authenticate = ({ headers }) => headers['proxy-authorization'] === expected;
    const named = (user: string) => ({
      ...network.environment,
      HTTPS_PROXY: network.address.replace('://', `://${user}@`),
    });
    expect(await hello(named('me:secret'))).toMatchObject({ code: 0, stdout: 'Hello.\n', stderr: '' });
    const { code, stderr } = await hello(named('me:wrong'));
    expect(code).toBe(1);
    expect(stderr).toContain('with the status 407. It wants a user name and a password');
    expect(stderr).not.toContain('wrong');
  });

  test('reaches a tool server through it', async () => {
    const server = await McpTestServer.start();
    const url = await network.offer('tools', server.url);
    mkdirSync(join(bench.outside, 'config/roundtrip'), { recursive: true });
    writeFileSync(join(bench.outside, 'config/roundtrip/mcp.yaml'), `servers:\n  weather: { url: "${url}" }\n`);
    const { code, stdout, stderr } = await bench.run(['tools'], { env: network.environment });
    expect(stderr + stdout).toContain('weather');
    expect(code).toBe(0);
    expect(network.asked).toContain(new URL(url).host);
    await server.stop();
  });
});

describe('the studio’s server', () => {
  const POLICY = { allowsPrivate: false, allowedHosts: new Set<string>(), ownPort: 3_000 };

  test('passes requests on through the proxy, also to names that only the proxy knows', async () => {
    const target = await startLocalServer((_, response) => void response.end('fine'));
    const url = await network.offer('api', target.url, { isSecure: false });
    const [, port] = new URL(url).host.split(':');
    vi.stubEnv('HTTP_PROXY', network.address);
    const unknown: Parameters<typeof checkedFetch>[1] = (_, __, done) => done(new Error('ENOTFOUND'), []);
    const policy = { ...POLICY, allowedHosts: new Set([`api.corporate.test:${port}`]) };
    const response = await checkedFetch(policy, unknown)(url);
    expect(await response.text()).toBe('fine');
    expect(network.asked).toEqual([new URL(url).host]);
    expect(await (await directFetch(url)).text()).toBe('fine');
    expect(network.asked).toHaveLength(2);
    await target.stop();
  });

  test('does not pass on what it would refuse without a proxy', async () => {
    vi.stubEnv('HTTP_PROXY', network.address);
    vi.stubEnv('HTTPS_PROXY', network.address);
    const inside: Parameters<typeof checkedFetch>[1] = (_, __, done) =>
      done(null, [{ address: '10.0.0.1', family: 4 }]);
    for (const url of [
      'https://intranet.example',
      'https://10.0.0.1',
      'https://169.254.169.254',
      'https://user:x@a.example',
    ])
      await expect(checkedFetch(POLICY, inside)(url), url).rejects.toMatchObject({
        problem: { code: 'address-refused' },
      });
    expect(network.asked).toEqual([]);
  });

  test('does not ask it for names that nobody here knows, unless they are listed', async () => {
    vi.stubEnv('HTTPS_PROXY', network.address);
    vi.stubEnv('HTTP_PROXY', network.address);
    const unknown: Parameters<typeof checkedFetch>[1] = (_, __, done) => done(new Error('ENOTFOUND'), []);
    const isRefused = { problem: { code: 'address-refused' } };
    await expect(checkedFetch(POLICY, unknown)('https://intranet.example')).rejects.toMatchObject(isRefused);
    const own = { ...POLICY, allowsPrivate: true };
    for (const url of ['http://intranet.example', 'https://metadata.google.internal'])
      await expect(checkedFetch(own, unknown)(url), url).rejects.toMatchObject(isRefused);
    expect(network.asked).toEqual([]);
  });

  test('never asks it for this machine', async () => {
    const target = await startLocalServer((_, response) => void response.end('fine'));
    vi.stubEnv('HTTP_PROXY', network.address);
    vi.stubEnv('ALL_PROXY', network.address);
    for (const url of [target.url, target.url.replace('127.0.0.1', 'localhost')])
      expect(await (await directFetch(url)).text()).toBe('fine');
    expect(network.asked).toEqual([]);
    await target.stop();
  });
});
