// The workspace beside ZenFS, LightningFS and SQLite on OPFS: the same work on the same files in real Chromium, in one
// run, each in the fastest way that it offers. Prints medians and how many times the best of the three takes.
import { median, openBenchSite } from './lib/bench-site.ts';
import type { Results } from './vfs/page.ts';

const ROUNDS = Number(process.argv[2] ?? 5);
const SUBJECTS = process.argv[3]?.split(',') ?? ['studio', 'zenfs', 'lightning-fs', 'sqlite-opfs'];

/** How many times as long the best peer must take at least. */
const REQUIRED: Record<string, number> = {
  'create 10,000 files of 500 B': 1.5,
  'open cold, and list a folder': 1.5,
  'list 500 folders': 10,
  '1,000 random reads': 10,
  'overwrite a file 1,000 times': 1,
  checkpoint: 8,
  'rename a folder of 2000': 3,
  'delete 2000 files': 3,
  'restore the checkpoint': 10,
  'import 50 MB': 2,
  '1,000 cold reads of 50 MB': 1,
  'search 50 MB cold': 1.5,
  'search 50 MB warm': 2,
};

const site = await openBenchSite('bench/vfs');
const rounds = new Map<string, Results[]>(SUBJECTS.map((name) => [name, []]));
try {
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of SUBJECTS) {
      const page = await site.context.newPage();
      page.on('pageerror', (error) => console.error(`${name}: ${error.message}`));
      await page.goto(site.url);
      const results = await page.evaluate(
        ([subject, index]) =>
          (window as unknown as { runRound(name: string, round: number): Promise<Results> }).runRound(subject, index),
        [name, round] as const,
      );
      rounds.get(name)?.push(results);
      await page.close();
    }
  }
} finally {
  await site.close();
}

const steps = Object.keys(rounds.get(SUBJECTS[0] ?? '')?.[0] ?? {});
console.log(`Medians of ${ROUNDS} rounds, in milliseconds; the page's longest stall in parentheses\n`);
for (const step of steps) {
  const of = (name: string, what: 'ms' | 'stallMs') =>
    median((rounds.get(name) ?? []).map((results) => results[step]?.[what] ?? Number.NaN));
  const shown = SUBJECTS.filter((name) => !Number.isNaN(of(name, 'ms'))).map(
    (name) => `${name} ${of(name, 'ms').toFixed(1)} (${of(name, 'stallMs').toFixed(0)})`,
  );
  const best = Math.min(...SUBJECTS.filter((name) => name !== 'studio').map((name) => of(name, 'ms')));
  const ratio = best / of('studio', 'ms');
  const required = REQUIRED[step];
  const verdict =
    required === undefined
      ? ''
      : `  ${ratio.toFixed(1)} times, ${required} required${ratio < required ? ' — MISSED' : ''}`;
  console.log(`${step}: ${shown.join(', ')}${verdict}`);
}
