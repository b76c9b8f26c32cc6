// Measures the empty studio with Lighthouse on a desktop: the production build, the system's Chromium, the median of five
// runs. npm fetches Lighthouse itself, which no other script needs. Fails below the scores that the studio must reach.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findBrowser } from './lib/browser.ts';
import { ensureBuild } from './lib/build.ts';
import { startServer } from './lib/server.ts';

const LIGHTHOUSE = 'lighthouse@13.5.0';
const RUNS = 5;

/**
 * The maximum number of tries of a run: recording a page sometimes fails for reasons that have nothing to do with it.
 */
const ATTEMPTS = 3;

/** The scores to reach, in percent, by Lighthouse's names of its categories. */
const WANTED = { performance: 95, accessibility: 100, 'best-practices': 100 } as const;

type Category = keyof typeof WANTED;

interface Report {
  categories: Record<Category, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { score: number | null; title: string; displayValue?: string }>;
}

const browser = findBrowser();
if (browser === undefined) throw new Error('No Chromium found. Run `npx playwright install chromium`.');
const chromePath = browser.path ?? chromium.executablePath();

function runLighthouse(url: string, output: string): Promise<number> {
  const child = spawn(
    'npm',
    [
      ...['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse', url, '--quiet', '--preset=desktop'],
      ...['--output=json', `--output-path=${output}`, `--only-categories=${Object.keys(WANTED).join(',')}`],
      '--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, CHROME_PATH: chromePath } },
  );
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

await ensureBuild();
const folder = mkdtempSync(join(tmpdir(), 'roundtrip-'));
const server = await startServer({
  host: 'localhost',
  env: {
    MODELS_FILE: 'no-such-file',
    DISCOVER_LOCAL: 'false',
    LLM_PROVIDER: 'demo',
    DATABASE_URL: `sqlite:${join(folder, 'checkpoints.db')}`,
  },
});
const reports: Report[] = [];
try {
  for (let run = 0; run < RUNS; run++) {
    const output = join(folder, `${run}.json`);
    let code = 1;
    for (let attempt = 0; attempt < ATTEMPTS && code !== 0; attempt++) code = await runLighthouse(server.url, output);
    if (code !== 0) throw new Error('Lighthouse could not measure the studio.');
    reports.push(JSON.parse(readFileSync(output, 'utf8')));
  }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

let isReached = true;
for (const [category, wanted] of Object.entries(WANTED) as [Category, number][]) {
  const scores = reports.map(({ categories }) => Math.round((categories[category].score ?? 0) * 100));
  const score = median(scores);
  if (score < wanted) isReached = false;
  process.stdout.write(`${category}: ${score} (of ${scores.join(', ')}), wanted ${wanted}\n`);
  const last = reports.at(-1);
  for (const { id, weight } of last?.categories[category].auditRefs ?? []) {
    const audit = last?.audits[id];
    if (weight === 0 || audit?.score == null || audit.score >= 0.9) continue;
    process.stdout.write(`  ${audit.title}${audit.displayValue === undefined ? '' : `: ${audit.displayValue}`}\n`);
  }
}
if (!isReached) process.exit(1);
