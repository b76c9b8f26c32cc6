import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from './server.ts';

interface PostgresServer {
  url: string;
  /** Ends the server at once, as a crash does, and starts it again with its data. */
  restart(): Promise<void>;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;
/** The maximum time for connections to close when stopping, in milliseconds. */
const CLOSE_TIMEOUT_MS = 1_000;
const READY = 'database system is ready to accept connections';

/**
 * Starts a PostgreSQL on loopback whose data lasts only as long as it runs. Resolves to undefined if none is installed.
 * Rejects with the server's own output if it does not start.
 */
export async function startPostgres(): Promise<PostgresServer | undefined> {
  const initdb = findProgram('initdb');
  const postgres = findProgram('postgres');
  if (initdb === undefined || postgres === undefined) return undefined;
  const user = unprivilegedUser();
  const directory = mkdtempSync(join(tmpdir(), 'studio-postgres-'));
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  if (user.uid !== undefined && user.gid !== undefined) chownSync(directory, user.uid, user.gid);
  const options = { ...user, cwd: directory, env: { ...process.env, HOME: directory, LC_ALL: 'C.UTF-8' } };
  const data = join(directory, 'data');
  const made = spawnSync(initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...options,
    encoding: 'utf8',
  });
  if (made.status !== 0) {
    remove();
    throw new Error(`initdb failed. ${made.error?.message ?? made.stderr}`);
  }
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${directory}`, 'lc_messages=C', 'fsync=off'];
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const begin = async () => {
    const server = spawn(postgres, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    const end = endWithProcess(server, remove);
    try {
      await untilReady(server);
    } catch (error) {
      await end();
      throw error;
    }
    return { server, end };
  };
  let running = await begin();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async restart() {
      await running.end({ isKept: true });
      running = await begin();
    },
    stop: () => running.end(),
  };
}

/** On the path, or where Debian keeps the programs of each version; then the newest. */
function findProgram(name: string): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

/** PostgreSQL refuses to run as root. */
function unprivilegedUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout);
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Resolves once connections are accepted: an open port may still respond with "starting up". */
function untilReady(server: ChildProcess): Promise<void> {
  let printed = '';
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (reason: string) => reject(new Error(`PostgreSQL did not start: ${reason}\n${printed}`));
  const timer = setTimeout(() => fail(`not ready after ${START_TIMEOUT_MS / 1000} s`), START_TIMEOUT_MS);
  server.once('error', ({ message }) => fail(message));
  server.once('exit', (code) => fail(`exit code ${code}`));
  server.stderr?.on('data', (chunk: Buffer) => {
    printed = (printed + chunk.toString()).slice(-10_000);
    if (printed.includes(READY)) resolve();
  });
  return promise.finally(() => clearTimeout(timer));
}

/** Stops the server when asked, and also when this process ends or is interrupted before that. `isKept`: keeps its data. */
function endWithProcess(server: ChildProcess, remove: () => void): (options?: { isKept?: boolean }) => Promise<void> {
  const exited = new Promise<void>((resolve) => {
    server.once('exit', () => resolve());
    server.once('error', () => resolve());
  });
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const end = async ({ isKept = false } = {}) => {
    process.off('exit', endNow);
    for (const signal of signals) process.off(signal, onSignal);
    // Smart shutdown first, so that a client that is just closing its connection gets no error. Then fast shutdown. A server
    // that starts again is ended as by a crash.
    server.kill(isKept ? 'SIGQUIT' : 'SIGTERM');
    const fast = setTimeout(() => server.kill('SIGINT'), CLOSE_TIMEOUT_MS);
    await exited;
    clearTimeout(fast);
    if (!isKept) remove();
  };
  const onSignal = (signal: NodeJS.Signals) => void end().finally(() => process.kill(process.pid, signal));
  // Nothing can be awaited anymore. The data is removed anyway, so the server need not shut down cleanly.
  const endNow = () => {
    server.kill('SIGKILL');
    remove();
  };
  process.once('exit', endNow);
  for (const signal of signals) process.once(signal, onSignal);
  return end;
}
