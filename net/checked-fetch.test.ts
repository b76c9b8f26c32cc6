import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressKind } from './addresses.ts';
import { type AddressPolicy, checkedFetch, type Resolve } from './checked-fetch.ts';

const CLOSED: AddressPolicy = { allowsPrivate: false, allowedHosts: new Set(), ownPort: 3_000 };
const OPEN: AddressPolicy = { ...CLOSED, allowsPrivate: true };

let port = 0;
const reached: string[] = [];
const server = createServer((request, response) => {
  reached.push(`${request.headers.host}${request.url}`);
  if (request.url === '/away') response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end();
  else response.end('fine');
});

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});

afterAll(() => server.close());

const answering =
  (...answers: string[][]): Resolve =>
  (_, __, callback) =>
    callback(
      null,
      (answers.shift() ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

const refusalOf = (address: string, policy: AddressPolicy, resolve?: Resolve): Promise<unknown> =>
  checkedFetch(
    policy,
    resolve,
  )(address).then(
    () => 'reached',
    (error: unknown) => error,
  );

const isRefused = { problem: { code: 'address-refused', detail: expect.any(String) } };

/** Ways to name this machine, its network and metadata services; `PORT` stands for a server that listens there. */
const INSIDE: readonly string[] = [
  'http://127.0.0.1:PORT',
  'http://localhost:PORT',
  'http://LOCALHOST:PORT',
  'http://127.1:PORT',
  'http://127.0.1:PORT',
  'http://2130706433:PORT',
  'http://0x7f000001:PORT',
  'http://0x7f.0.0.1:PORT',
  'http://0177.0.0.1:PORT',
  'http://0177.0x0.0.1:PORT',
  'http://127.255.255.254:PORT',
  'http://0:PORT',
  'http://0.0.0.0:PORT',
  'http://[::1]:PORT',
  'http://[::]:PORT',
  'http://[::ffff:127.0.0.1]:PORT',
  'http://[::ffff:7f00:1]:PORT',
  'http://[0:0:0:0:0:ffff:7f00:0001]:PORT',
  'http://[::7f00:1]:PORT',
  'https://[::a9fe:a9fe]:PORT',
  'http://[64:ff9b::7f00:1]:PORT',
  'http://[64:ff9b:1::7f00:1]:PORT',
  'http://[2002:7f00:1::]:PORT',
  'http://[2001:0:7f00:1::]:PORT',
  'http://①②⑦.0.0.1:PORT',
  'http://127。0。0。1:PORT',
  'http://10.0.0.1',
  'http://172.16.0.1',
  'http://172.31.255.255',
  'http://192.168.1.1',
  'http://100.64.0.1',
  'http://[fc00::1]',
  'http://[fd12:3456::1]',
];

/** Refused everywhere, also by a studio of one person. */
const NEVER: readonly string[] = [
  'http://169.254.169.254/latest/meta-data/',
  'http://0xa9fea9fe/latest/meta-data/',
  'http://2852039166/latest/meta-data/',
  'http://[::ffff:169.254.169.254]/',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fd20:ce::254]/',
  'http://100.100.100.200/latest/meta-data/',
  'http://[fd00:ec2::254%25eth0]/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[ff02::1]/',
  'http://192.0.2.1:25/',
  'https://example.com:22/',
  'https://user:password@example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'ftp://example.com/',
];

describe('addresses that a browser names', () => {
  test('[R18] of this machine or its network are not reached by a studio that is open to others', async () => {
    reached.length = 0;
    for (const address of INSIDE) {
      const refusal = await refusalOf(address.replace('PORT', String(port)), CLOSED);
      expect(refusal, address).toMatchObject(isRefused);
    }
    expect(reached).toEqual([]);
  });

  test.each(NEVER)('%s is never reached', async (address) => {
    const refusal = await refusalOf(address, OPEN);
    expect(refusal).toBeInstanceOf(Error);
    if (URL.canParse(address)) expect(refusal).toMatchObject(isRefused);
  });

  test('of this machine and its network are reached by a studio of one person', async () => {
    const response = await checkedFetch(OPEN)(`http://127.0.0.1:${port}/v1/models`);
    expect(await response.text()).toBe('fine');
  });

  test('never lead to the studio itself, also if the operator names its host', async () => {
    const itself = { ...OPEN, ownPort: port };
    expect(await refusalOf(`http://127.0.0.1:${port}`, itself)).toMatchObject(isRefused);
    const named = { ...itself, allowedHosts: new Set(['127.0.0.1']) };
    expect(await refusalOf(`http://127.0.0.1:${port}`, named)).toMatchObject(isRefused);
  });

  test('are reached if the operator names the host, with its port or without', async () => {
    for (const host of ['127.0.0.1', `127.0.0.1:${port}`])
      expect(await refusalOf(`http://127.0.0.1:${port}`, { ...CLOSED, allowedHosts: new Set([host]) })).toBe('reached');
    expect(
      await refusalOf(`http://127.0.0.1:${port}`, { ...CLOSED, allowedHosts: new Set(['127.0.0.1:1']) }),
    ).toMatchObject(isRefused);
  });

  test('are refused if a name has an address inside', async () => {
    for (const inside of ['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', '::ffff:10.0.0.1', 'fe80::1'])
      expect(await refusalOf(`https://models.example:${port}`, CLOSED, answering([inside])), inside).toMatchObject(
        isRefused,
      );
    const both = answering(['93.184.216.34', '127.0.0.1']);
    expect(await refusalOf(`https://models.example:${port}`, CLOSED, both)).toMatchObject(isRefused);
  });

  test('that the model names lead into the network only if their names say so, or if they are listed', async () => {
    const called = (address: string, mayBePrivate?: (url: URL) => boolean) =>
      checkedFetch(OPEN, answering(['127.0.0.1']))(
        address,
        {},
        { foreign: mayBePrivate && { mayBePrivate, place: 'a list' } },
      ).then(
        () => 'reached',
        (error: unknown) => error,
      );
    const address = `http://docs.attacker.example:${port}`;
    expect(await called(address, () => false)).toMatchObject({
      problem: { detail: expect.stringMatching(/is on this network \(127\.0\.0\.1\).*name it in a list\./) },
    });
    expect(await called(address, ({ hostname }) => hostname === 'docs.attacker.example')).toBe('reached');
    expect(await called(address)).toBe('reached');
  });

  test('are resolved once: a name that changes its answer reaches only what was checked', async () => {
    reached.length = 0;
    const answers = [['127.0.0.1'], ['169.254.169.254'], ['127.0.0.2']];
    const response = await checkedFetch(OPEN, answering(...answers))(`http://models.example:${port}/v1`);
    expect(await response.text()).toBe('fine');
    expect(reached).toEqual([`models.example:${port}/v1`]);
  });

  test('whose answer would fill the memory are read to a limit', async () => {
    const zeros = gzipSync(Buffer.alloc(64_000_000, 'a'));
    const bomb = createServer((request, response) => {
      const status = request.url === '/error' ? 400 : 200;
      response.writeHead(status, { 'content-encoding': 'gzip', 'content-type': 'text/event-stream' }).end(zeros);
    });
    await new Promise<void>((done) => bomb.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(bomb.address() as AddressInfo).port}`;
    expect((await (await checkedFetch(OPEN)(`${url}/error`)).text()).length).toBe(65_536);
    const body = (await checkedFetch(OPEN)(url)).text();
    await expect(body).rejects.toMatchObject({ problem: { code: 'endpoint-error' } });
    bomb.closeAllConnections();
    bomb.close();
  });

  test('that redirect are not followed', async () => {
    expect(await refusalOf(`http://127.0.0.1:${port}/away`, OPEN)).toMatchObject({
      problem: { code: 'endpoint-error', detail: expect.stringContaining('redirects are not followed') },
    });
  });

  test('get no key unencrypted over the internet', async () => {
    expect(await refusalOf('http://models.example', OPEN, answering(['93.184.216.34']))).toMatchObject({
      problem: { code: 'address-refused', detail: expect.stringContaining('Use https') },
    });
  });

  test.each([
    ['8.8.8.8', 'public'],
    ['2606:4700:4700::1111', 'public'],
    ['192.168.0.1', 'private'],
    ['100.100.1.1', 'private'],
    ['::ffff:192.168.0.1', 'private'],
    ['192.0.2.1', 'refused'],
    ['198.18.0.1', 'private'],
    ['64:ff9b::808:808', 'public'],
    ['64:ff9b::7f00:1', 'private'],
    ['64:ff9b::a9fe:a9fe', 'refused'],
    ['::7f00:1', 'refused'],
    ['240.0.0.1', 'refused'],
    ['no address', 'refused'],
  ])('%s is %s', (address, kind) => {
    expect(addressKind(address)).toBe(kind);
  });
});
