import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { delay } from '#lib/base/delay.ts';

interface Balancer {
  url: string;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 10_000;

/**
 * HAProxy's configuration for a studio of several processes: in turn to those that are ready, whatever a browser asked before.
 * Only programs of tool servers stay where they were started. `ports`: those of the processes.
 */
const configuration = (port: number, ports: readonly number[]): string => `
global
  log stdout format raw local0 warning
defaults
  mode http
  timeout connect 2s
  timeout client 75s
  timeout server 75s
  timeout http-request 30s
  option redispatch
  retries 2
frontend studio
  bind 127.0.0.1:${port}
  bind [::1]:${port}
  use_backend programs if { path_beg /api/mcp/servers/ }
  default_backend studio
backend studio
  balance roundrobin
  option httpchk GET /readyz
  http-check expect status 200
${serverLines(ports)}
backend programs
  balance hdr(x-mcp-connection)
  hash-type consistent
  option httpchk GET /readyz
  http-check expect status 200
${serverLines(ports)}
`;

const serverLines = (ports: readonly number[]): string =>
  ports.map((port, index) => `  server s${index} 127.0.0.1:${port} check inter 500ms fall 2 rise 1`).join('\n');

/** Starts HAProxy on a port of loopback, in front of processes on others. Resolves to undefined if it is not installed. */
export async function startBalancer(port: number, ports: readonly number[]): Promise<Balancer | undefined> {
  const program = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
    .map((folder) => join(folder, 'haproxy'))
    .find((file) => existsSync(file));
  if (program === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'studio-balancer-'));
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, configuration(port, ports));
  const balancer = spawn(program, ['-f', file, '-db'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = new Promise<void>((resolve) => balancer.once('exit', () => resolve()));
  const endNow = () => balancer.kill('SIGKILL');
  process.once('exit', endNow);
  let printed = '';
  balancer.stderr.on('data', (data: Buffer) => {
    printed = (printed + data.toString()).slice(-10_000);
  });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await accepts(port))) {
    if (balancer.exitCode !== null || Date.now() > deadline) throw new Error(`HAProxy did not start.\n${printed}`);
    await delay(50);
  }
  return {
    url: `http://localhost:${port}`,
    async stop() {
      process.off('exit', endNow);
      balancer.kill('SIGTERM');
      const timer = setTimeout(endNow, 2_000);
      await exited;
      clearTimeout(timer);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Checks whether something accepts connections on a port of loopback. */
const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
