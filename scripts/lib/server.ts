import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { BINARIES, startNode } from './run.ts';

export interface StudioServer {
  url: string;
  process: ChildProcess;
  /** The end of its output so far, from both streams. */
  log(): string;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;

/** The part of a server's output that is kept, in characters. */
const PRINTED_MAX = 1_000_000;

/** The maximum time for a server to finish its work when stopped, in milliseconds. */
const STOP_GRACE_MS = 5_000;

/** A port that is currently free. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

export interface StartOptions {
  env?: Readonly<Record<string, string | undefined>>;
  port?: number;
  host?: string;
  /** The folder of the studio, if it is another checkout of it. */
  root?: string;
  /** The folder of another app of Next.js to start, which answers `/api/health`, too. */
  app?: string;
  /** The script of a server that needs no Next.js to start it, in the folder of the studio: that of a release. */
  script?: string;
}

/** Starts the production build on loopback and waits until it responds. Rejects with its output if it does not. */
export async function startServer(options: StartOptions = {}): Promise<StudioServer> {
  const port = options.port ?? (await freePort());
  const host = options.host ?? '127.0.0.1';
  const app = options.app === undefined ? [] : [options.app];
  const drainSeconds = Number(options.env?.DRAIN_SECONDS ?? process.env.DRAIN_SECONDS ?? 0);
  const { script } = options;
  const args = script === undefined ? ['start', ...app, '-H', host, '-p', String(port)] : [];
  const child = startNode(script ?? BINARIES.next, args, {
    // With the last one, the studio ends by itself (server/runs/drain.ts), and Next.js does not end it.
    env: {
      ...options.env,
      ...(script !== undefined && { HOSTNAME: host }),
      PORT: String(port),
      NEXT_MANUAL_SIG_HANDLE: drainSeconds > 0 ? 'true' : undefined,
    },
    output: 'pipe',
    ...(options.root !== undefined && { root: options.root }),
    endsWithParent: true,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data: Buffer) => {
      printed = (printed + data.toString()).slice(-PRINTED_MAX);
    });
  }
  const exited = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1));
  });
  const url = `http://${host.includes(':') ? `[${host}]` : host === '0.0.0.0' || host === '::' ? 'localhost' : host}:${port}`;
  const server: StudioServer = {
    url,
    process: child,
    log: () => printed,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      // It waits for every connection to end, but a browser keeps some open that it has never used.
      const kill = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS + drainSeconds * 1_000);
      await exited;
      clearTimeout(kill);
    },
  };
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const state = await Promise.race([exited.then(() => 'exited' as const), isUp(url)]);
    if (state === 'exited') throw new Error(printed);
    if (state) return server;
    if (Date.now() > deadline) {
      await server.stop('SIGKILL');
      throw new Error(`The server did not respond within ${START_TIMEOUT_MS / 1000} s.\n${printed}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function isUp(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/health`);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
