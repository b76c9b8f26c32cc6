import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { CONFORMANCE_ORIGIN } from '#lib/sources/mcp/test/conformance-login.ts';
import { ROOT } from '#scripts/lib/run.ts';
import { CONFORMANCE_PROGRAM as TOOL } from '../peers/conformance.ts';

const run = promisify(execFile);

const CLIENT = join(ROOT, 'lib/sources/mcp/test/conformance-client.ts');

const NO_PERSON = 'It is for clients without a person, which log in by themselves. In the studio, people log in.';
const NO_EXTENSION = 'It is about an extension of the protocol, which the studio does not say that it supports.';

/** The scenarios that are not run, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'auth/2025-03-26-oauth-endpoint-fallback':
    'It wants logins at a server that says nothing about itself: neither its issuer nor that it protects codes with PKCE could be checked.',
  'auth/client-credentials-basic': NO_PERSON,
  'auth/client-credentials-jwt': NO_PERSON,
  'auth/wif-jwt-bearer': NO_PERSON,
  'auth/enterprise-managed-authorization': NO_EXTENSION,
  'auth/dpop': NO_EXTENSION,
  'auth/dpop-nonce': NO_EXTENSION,
  'sep-2640-client-no-prefetch': NO_EXTENSION,
  'sep-2640-client-verify-digest': NO_EXTENSION,
  'sep-2640-client-verify-size': NO_EXTENSION,
  'sep-2640-client-verify-frontmatter': NO_EXTENSION,
};

/** The first version of the protocol's later era. */
const LATER = '2026-07-28';

/** Every scenario for clients, with the versions of the protocol that it is about. */
const { stdout: listed } = await run(process.execPath, [TOOL, 'list', '--client']);
const scenarios = [...listed.matchAll(/^ {2}- (\S+) \[(.*)\]$/gm)].map(([, name = '', versions = '']) => ({
  name,
  versions: versions.split(','),
}));

/** Each scenario once in each era that it is about, with the newest version of that era. */
const supported = scenarios
  .filter(({ name }) => !Object.hasOwn(LEFT_OUT, name))
  .flatMap(({ name, versions }) =>
    [versions.filter((version) => version < LATER).at(-1), versions.filter((version) => version >= LATER).at(-1)]
      .filter((version) => version !== undefined)
      .map((version) => [name, version] as const),
  );

/** The result of a check in a scenario. */
interface Check {
  id: string;
  status: string;
  details?: Record<string, unknown>;
}

/** Runs a scenario with our client. */
async function runScenario(name: string, version: string): Promise<{ verdict: string; checks: Check[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'roundtrip-conformance-'));
  try {
    const client = `${process.execPath} --disable-warning=ExperimentalWarning ${CLIENT}`;
    const asked = ['--command', client, '--scenario', name, '--spec-version', version, '--output-dir', folder];
    // It ends with an error if a check fails.
    const verdict = await run(process.execPath, [TOOL, 'client', ...asked]).then(
      ({ stderr }) => stderr,
      (error: { stderr: string }) => error.stderr,
    );
    const file = (await readdir(folder, { recursive: true })).find((path) => path.endsWith('checks.json'));
    return { verdict, checks: JSON.parse(await readFile(join(folder, file ?? ''), 'utf8')) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('scenarios of both eras are run, and only those are left out that are there', () => {
  for (const era of [/^2025/, /^2026/])
    expect(supported.filter(([, version]) => era.test(version)).length).toBeGreaterThan(15);
  expect(scenarios.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(LEFT_OUT)));
});

/** It wants one fixed description of its own; the studio names the one that it serves itself. */
const DESCRIPTION = 'auth/basic-cimd';

test.each(supported.filter(([name]) => name !== DESCRIPTION))(
  'the client conforms to %s of %s',
  async (...scenario) => {
    const { verdict, checks } = await runScenario(...scenario);
    expect(verdict).toContain('OVERALL: PASSED');
    expect(checks.some(({ status }) => status === 'SUCCESS')).toBe(true);
  },
);

test.each(supported.filter(([name]) => name === DESCRIPTION))(
  'the client conforms to %s of %s, with the studio’s description',
  async (...scenario) => {
    const { checks } = await runScenario(...scenario);
    const others = checks.filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO');
    expect(others).toMatchObject([
      {
        id: 'cimd-client-id-used',
        status: 'WARNING',
        details: { actualClientId: `${CONFORMANCE_ORIGIN}/oauth/client-metadata.json` },
      },
    ]);
    expect(checks.map(({ id }) => id)).toContain('token-request');
  },
);
