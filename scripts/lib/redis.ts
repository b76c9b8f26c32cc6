import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from './server.ts';

interface RedisServer {
  url: string;
  /** Ends the server and starts it again without its data, on the same port. */
  restart(): Promise<void>;
  /** Ends the server. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 10_000;
const READY = 'Ready to accept connections';

/** Starts a Redis on loopback that stores nothing on the disk. Resolves to undefined if none is installed. */
export async function startRedis(...settings: readonly string[]): Promise<RedisServer | undefined> {
  const program = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => ['redis-server', 'valkey-server'].map((name) => join(folder, name)))
    .find((file) => existsSync(file));
  if (program === undefined) return undefined;
  const port = await freePort();
  let stop = await begin(program, port, settings);
  return {
    url: `redis://127.0.0.1:${port}`,
    async restart() {
      await stop();
      stop = await begin(program, port, settings);
    },
    stop: () => stop(),
  };
}

/** Starts one process and waits until it is ready. Returns what ends it. */
async function begin(program: string, port: number, settings: readonly string[]): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-redis-'));
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder, ...settings];
  const server = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const endNow = () => server.kill('SIGKILL');
  process.once('exit', endNow);
  let printed = '';
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error(`Redis did not start.\n${printed}`)), START_TIMEOUT_MS);
  server.once('error', reject);
  server.once('exit', () => reject(new Error(`Redis did not start.\n${printed}`)));
  server.stdout.on('data', (data: Buffer) => {
    printed = (printed + data.toString()).slice(-10_000);
    if (printed.includes(READY)) resolve();
  });
  await ready.finally(() => clearTimeout(timer));
  return async () => {
    process.off('exit', endNow);
    server.kill('SIGKILL');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
}
