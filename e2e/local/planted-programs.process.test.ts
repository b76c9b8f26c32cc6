import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CliBench } from '../lib/cli-bench.ts';
import { missingForConfinement } from '../lib/confining.ts';
import { ToolClient } from '../lib/tool-client.ts';

let bench: CliBench;
let client: ToolClient;
let listener: Server;
let arrivals: number;
beforeEach(async () => {
  const missing = missingForConfinement();
  if (missing !== undefined && process.env.CI) throw new Error(`Programs cannot be confined here: ${missing}.`);
  bench = await CliBench.start();
  bench.write({
    '.roundtrip/config.yaml': 'permissions:\n  write: allow\n  execute: allow\n',
    'node_modules/.bin/tool': '#!/bin/sh\n',
  });
  arrivals = 0;
  listener = createServer((connection) => {
    arrivals++;
    connection.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(join(bench.folder, 'socket'), resolve));
  // As after `npx roundtrip` in the folder.
  const path = `${join(bench.folder, 'node_modules/.bin')}${delimiter}${process.env.PATH}`;
  client = new ToolClient(bench.open(['serve', '--stdio'], { PATH: path }));
});
afterEach(async () => {
  client.child.kill('SIGKILL');
  listener.close();
  await bench.stop();
});

const PLANTED = [
  ['bwrap', 'node_modules/.bin'],
  ['socat', '$TMPDIR'],
  ['socat', 'node_modules/.bin'],
  ['rg', 'node_modules/.bin'],
  ['bash', 'node_modules/.bin'],
  ['setpriv', 'node_modules/.bin'],
] as const;

/** The programs that the daily run plants; the long suite plants all of them. */
const tried = process.env.LONG_SUITES === '1' ? PLANTED : PLANTED.slice(0, 2);

test.skipIf(missingForConfinement() !== undefined && !process.env.CI).each(tried)(
  '%s that a command has put into %s is not what confines the next one',
  async (name, folder) => {
    // Notes that it has run unconfined or past the filter for sockets, and goes on as the real one.
    const connect = "import socket; socket.socket(socket.AF_UNIX).connect('SOCKET')".replace(
      'SOCKET',
      join(bench.folder, 'socket'),
    );
    const planted = [
      '#!/bin/sh',
      `echo escaped 2>/dev/null > ${bench.outside}/escaped`,
      `"PYTHON" -c "${connect}" 2>/dev/null`,
      'exec "REAL" "$@"',
    ].join('\n');
    bench.write({ planted });
    const command = [
      `real=$(PATH=\${PATH#*:} command -v ${name})`,
      `sed "s:PYTHON:$(command -v python3):; s:REAL:$real:" planted > "${folder}/made"`,
      `chmod +x "${folder}/made" && mv -f "${folder}/made" "${folder}/${name}" && echo planted`,
    ].join('; ');
    expect((await client.call(1, 'bash', { command })).result?.content).toContain('planted');
    expect((await client.call(2, 'bash', { command: 'echo next' })).result?.content).toBe('next');
    await client.call(3, 'browser_js_eval', { code: '1' });
    await client.call(4, 'search_text', { pattern: 'next' });
    expect(existsSync(join(bench.outside, 'escaped'))).toBe(false);
    expect(arrivals).toBe(0);
  },
);
