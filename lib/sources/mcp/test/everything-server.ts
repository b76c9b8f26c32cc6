import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

/** MCP's reference server with an example of everything, as a process of its own that speaks HTTP. */
export class EverythingServer {
  readonly url: string;
  readonly #process: ChildProcess;

  /** Resolves once it listens. */
  static async start(): Promise<EverythingServer> {
    const port = await freePort();
    const script = new URL(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js')).pathname;
    const child = spawn(process.execPath, [script, 'streamableHttp'], {
      env: { ...process.env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    for await (const line of createInterface(child.stderr))
      if (line.includes('listening')) return new EverythingServer(`http://127.0.0.1:${port}/mcp`, child);
    throw new Error('The server did not start.');
  }

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#process = child;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill('SIGKILL');
    await once(this.#process, 'exit');
  }
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}
