import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import { runNode } from '#scripts/lib/run.ts';
import type { ScenarioReport } from './live/report.ts';

let folder: string;

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scenarios-'));
});

test.afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('npm run scenarios reports what passed and, with its transcript, what failed', async ({ page }) => {
  test.setTimeout(180_000);
  // The demo model knows the sum of the primes, but not the scenario with two files.
  const args = '--model demo --only primes --only parallel --mode native --language en --output';
  const { code, output } = await runNode('scripts/scenarios.ts', [...args.split(' '), folder], {
    output: 'pipe',
    env: { MODELS_FILE: join(folder, 'none.yaml'), DISCOVER_LOCAL: 'false' },
  });
  expect(output).toContain('1 of 2 runs passed.');
  expect(code).toBe(1);

  const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as ScenarioReport;
  const [primes, parallel] = report.results;
  expect(report).toMatchObject({ models: ['demo'], passed: 1, failed: 1 });
  expect(primes).toMatchObject({ scenario: 'primes', language: 'en', mode: 'native', passed: 1, runs: 1, steps: 2 });
  expect(primes?.attempts[0]).not.toHaveProperty('transcript');
  expect(parallel).toMatchObject({ scenario: 'parallel', passed: 0, runs: 1 });
  expect(parallel?.attempts[0]?.failures.join('\n')).toContain('no call of read_file with outcome success');
  expect(parallel?.attempts[0]?.transcript?.map(({ role }) => role)).toEqual(['user', 'assistant']);

  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  const address = pathToFileURL(join(folder, 'report.html')).href;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(address);
    await expect(
      page.getByRole('row', { name: /^Sum of the primes below 1000 en demo native 1 of 1 21–100 % 2 / }),
    ).toBeVisible();
    await expect(
      page.getByRole('row', { name: /^Two files read side by side en demo native 0 of 1 0–79 % / }),
    ).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Two files read side by side (en, demo, native)' })).toBeVisible();
    await page.getByText('Transcript (').click();
    await expect(page.locator('details pre', { hasText: 'script, not an AI' })).toBeVisible();
  }
  expect(new Set(loaded)).toEqual(new Set([address]));
});
