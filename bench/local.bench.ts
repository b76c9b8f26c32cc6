// The tool server, compared with the reference file server of MCP in the same run: how soon it lists its tools, how long
// it takes to read a file, and how much memory it needs after many requests.
// npm run bench -- local
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '#scripts/lib/run.ts';
import { median } from './lib/median.ts';
import { inFull, verdict } from './lib/options.ts';

const FOLDERS = inFull(1_000, 10);
const FILES_EACH = 100;
const STARTS = inFull(15, 2);
const READS = inFull(1_000, 20);
/** The requests after which memory is measured, and after which it is measured again. */
const [FEW, MANY] = inFull([1_000, 10_000], [20, 60]);
const LIST_LIMIT_MS = 300;
const READ_LIMIT_MS = 5;
const MEMORY_LIMIT = 1.1;
const LIMIT_AGAINST_PEER = 2;

/** A server that answers one JSON message in each line. */
class LineServer {
  readonly process: ChildProcess;
  readonly #waiting = new Map<number, (answer: unknown) => void>();
  #lastId = 0;

  constructor(command: readonly string[]) {
    this.process = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'ignore'] });
    if (this.process.stdout === null) throw new Error('no output');
    createInterface({ input: this.process.stdout }).on('line', (line) => {
      const answer = JSON.parse(line) as { id?: number };
      this.#waiting.get(answer.id ?? -1)?.(answer);
    });
  }

  request(message: object): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, (answer) => {
        this.#waiting.delete(id);
        resolve(answer);
      });
      this.process.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`);
    });
  }

  async end(): Promise<void> {
    const closed = new Promise((resolve) => this.process.once('close', resolve));
    this.process.stdin?.end();
    this.process.kill();
    await closed;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'bench-local-'));
for (let index = 0; index < FOLDERS; index++) {
  const below = join(folder, `d${index % 10}`, `e${index}`);
  mkdirSync(below, { recursive: true });
  for (let file = 0; file < FILES_EACH; file++) writeFileSync(join(below, `f${file}.txt`), `File ${file}\n`.repeat(20));
}
const file = join(folder, 'd1/e1/f1.txt');

const peerScript = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/package.json')),
  'dist/index.js',
);
const own = () => new LineServer([join(ROOT, 'bin/roundtrip.js'), 'serve', '--stdio', '--cwd', folder]);
const peer = () => new LineServer([peerScript, folder]);

const listOwn = async (server: LineServer) => server.request({ method: 'list_tools', params: {} });
const readOwn = (server: LineServer) =>
  server.request({ method: 'call_tool', params: { name: 'view', input: { path: '/d1/e1/f1.txt' } } });
async function listPeer(server: LineServer): Promise<void> {
  const clientInfo = { name: 'bench', version: '1' };
  await server.request({
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  });
  server.process.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  await server.request({ method: 'tools/list', params: {} });
}
const readPeer = (server: LineServer) =>
  server.request({ method: 'tools/call', params: { name: 'read_text_file', arguments: { path: file } } });

/** Milliseconds from the start of a process to its list of tools. */
async function timeToList(start: () => LineServer, list: (server: LineServer) => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  const server = start();
  await list(server);
  const ms = performance.now() - startedAt;
  await server.end();
  return ms;
}

async function timeToRead(server: LineServer, read: (server: LineServer) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < READS; index++) {
    const startedAt = performance.now();
    await read(server);
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

/** The resident memory of a process, in megabytes. */
const memoryOf = ({ process: { pid } }: LineServer): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

/** The memory after a number of further requests: the least of several looks, because garbage comes and goes. */
async function memoryAfter(server: LineServer, requests: number): Promise<number> {
  for (let index = 0; index < requests; index++) await readOwn(server);
  const looks: number[] = [];
  for (let look = 0; look < 20; look++) {
    await readOwn(server);
    looks.push(memoryOf(server));
  }
  return Math.min(...looks);
}

try {
  const lists: { own: number; peer: number }[] = [];
  await timeToList(own, listOwn);
  for (let index = 0; index < STARTS; index++)
    lists.push({ own: await timeToList(own, listOwn), peer: await timeToList(peer, listPeer) });
  const list = median(lists.map((time) => time.own));
  const peerList = median(lists.map((time) => time.peer));
  console.log(
    `list_tools in a folder of ${FOLDERS * FILES_EACH} files: ${list.toFixed(0)} ms from the start${verdict(`at most ${LIST_LIMIT_MS} ms`, list <= LIST_LIMIT_MS)}; server-filesystem: ${peerList.toFixed(0)} ms, ratio ${(list / peerList).toFixed(2)}${verdict(`at most ${LIMIT_AGAINST_PEER}`, list <= LIMIT_AGAINST_PEER * peerList)}`,
  );
  const servers = { own: own(), peer: peer() };
  await listPeer(servers.peer);
  await listOwn(servers.own);
  const read = await timeToRead(servers.own, readOwn);
  const peerRead = await timeToRead(servers.peer, readPeer);
  console.log(
    `reading a file: ${read.toFixed(2)} ms (median of ${READS})${verdict(`at most ${READ_LIMIT_MS} ms`, read <= READ_LIMIT_MS)}; server-filesystem: ${peerRead.toFixed(2)} ms, ratio ${(read / peerRead).toFixed(2)}${verdict(`at most ${LIMIT_AGAINST_PEER}`, read <= LIMIT_AGAINST_PEER * peerRead)}`,
  );
  await Promise.all([servers.own.end(), servers.peer.end()]);
  const server = own();
  await listOwn(server);
  const few = await memoryAfter(server, FEW);
  const many = await memoryAfter(server, MANY - FEW);
  console.log(
    `memory after ${FEW} requests: ${few.toFixed(0)} MB; after ${MANY}: ${many.toFixed(0)} MB, ratio ${(many / few).toFixed(2)}${verdict(`at most ${MEMORY_LIMIT}`, many <= MEMORY_LIMIT * few)}`,
  );
  await server.end();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
