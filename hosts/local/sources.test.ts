import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { testMcpServer } from '#lib/sources/mcp/test/mcp-server.ts';
import { describeOffers, type OfferOptions } from '#lib/sources/test/offer-contract.ts';
import { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { addApis } from './apis.ts';
import { LocalServers } from './servers/local-servers.ts';
import { WorkspaceToolAnswers } from './workspace-tools/workspace-tool-answers.ts';
import { WorkspaceTools } from './workspace-tools/workspace-tools.ts';

/** Makes a folder that is deleted when the test has ended. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sources-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

let mcp = testMcpServer();
/** Serves `mcp` on loopback. */
const http = createServer(async (request, response) => {
  const { method = 'GET', headers } = request;
  const body = method === 'POST' ? await buffer(request) : null;
  const sent = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const answer = await mcp.fetch(urlOf(http), { method, headers: sent, body: body && new Uint8Array(body) });
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) response.end();
  else await pipeline(Readable.fromWeb(answer.body as ReadableStream), response).catch(() => undefined);
});
const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
beforeAll(async () => {
  await once(http.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  http.closeAllConnections();
  http.close();
});

/** Makes a registry with tools, and a place for notices. */
function host({ own }: Pick<OfferOptions, 'own'>) {
  const registry = new ToolRegistry(own);
  const notices: string[] = [];
  return {
    registry,
    list: () => registry.list(),
    notices: () => notices.join('\n'),
    onNotice: (text: string) => void notices.push(text),
  };
}

describeOffers('tool servers of the command line', ['test_add', 'test_fail'], async (options) => {
  const { registry, onNotice, ...opened } = host(options);
  mcp = testMcpServer(undefined, options.description);
  const servers = await LocalServers.open({
    servers: [
      { type: 'address', name: 'test', title: 'Test', url: urlOf(http), headers: {}, allow: [], at: 'mcp.yaml' },
    ],
    root: temporaryFolder(),
    env: {},
    registry,
    asksForms: false,
    onNotice,
  });
  onTestFinished(() => servers.close());
  return { ...opened, definitionOf: (tool) => servers.describe(tool)?.definition };
});

describeOffers('HTTP APIs of the command line', ['test_add', 'test_fail'], async (options) => {
  const { registry, onNotice, ...opened } = host(options);
  const file = join(temporaryFolder(), 'test.yaml');
  writeFileSync(
    file,
    `name: test
baseUrl: https://api.test
tools:
  - { name: add, description: ${JSON.stringify(options.description)}, method: GET, path: /sum }
  - { name: fail, description: Fails., method: DELETE, path: /sum }
`,
  );
  const apis = await addApis(registry, { files: [file], env: {}, root: temporaryFolder(), onNotice });
  return { ...opened, definitionOf: (tool) => apis.describe(tool)?.definition };
});

describeOffers('workspaces of the command line', ['add', 'fail'], async (options) => {
  const { registry, onNotice, notices } = host(options);
  const files = new MemoryFileSystem();
  const source = (description: string) =>
    new TextEncoder().encode(
      `export const spec = { description: ${JSON.stringify(description)} };\nexport const run = () => 1;\n`,
    );
  await files.transaction({ type: 'person' }, async (tx) => {
    tx.writeFile('/.roundtrip/tools/add.js', source(options.description));
    tx.writeFile('/.roundtrip/tools/fail.js', source('Fails.'));
  });
  const tools = new WorkspaceTools({
    files,
    root: '/work',
    canRun: true,
    isTaken: (name) => registry.get(name) !== undefined,
    answers: new WorkspaceToolAnswers(join(temporaryFolder(), 'answers.json')),
    onNotice,
  });
  await tools.settle(async () => true);
  return {
    list: () => [...registry.list(), ...tools.list()],
    notices,
    definitionOf: (tool) => tools.describe(tool)?.definition,
  };
});
