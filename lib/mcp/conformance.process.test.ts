import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

const TOOL = new URL(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js')).pathname;
const CLIENT = new URL('./test/conformance-client.ts', import.meta.url).pathname;

/** The scenarios for clients that must pass. All of them are about the earlier era; there are none yet for the later one. */
const SUPPORTED = ['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry'];

/** Those that are not run here, by the beginnings of their names, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'auth/': 'The client of these tests does not log in to servers.',
};

test('every scenario for clients is run, or left out for a reason', async () => {
  const { stdout } = await run(process.execPath, [TOOL, 'list']);
  const names = [...(stdout.split('Client scenarios')[1] ?? '').matchAll(/^ {2}- (\S+)/gm)].map(
    ([, name]) => name ?? '',
  );
  expect(names.length).toBeGreaterThan(SUPPORTED.length);
  const isLeftOut = (name: string) => Object.keys(LEFT_OUT).some((prefix) => name.startsWith(prefix));
  expect(names.filter((name) => !isLeftOut(name)).sort()).toEqual([...SUPPORTED].sort());
});

test.each(SUPPORTED)('the client conforms to %s', async (scenario) => {
  const folder = await mkdtemp(join(tmpdir(), 'roundtrip-conformance-'));
  try {
    const client = `${process.execPath} --disable-warning=ExperimentalWarning ${CLIENT}`;
    // It ends with an error if a check fails.
    const { stderr } = await run(process.execPath, [
      ...[TOOL, 'client', '--command', client, '--scenario', scenario, '--output-dir', folder],
    ]);
    expect(stderr).toContain('OVERALL: PASSED');
  } finally {
    await rm(folder, { recursive: true });
  }
});
