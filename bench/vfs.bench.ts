// The workspace compared with ZenFS, LightningFS and SQLite on OPFS: the same work on the same files in real Chromium,
// in one run, each used in its fastest way. Prints medians, and how many times as long the fastest of the three takes.
// npm run bench -- vfs [rounds] [subjects]
import { openBenchSite } from './lib/bench-site.ts';
import { median } from './lib/median.ts';
import { benchArguments, inFull, isShort } from './lib/options.ts';
import type { Measured, Scale } from './vfs/page.ts';

const [rounds, subjects] = benchArguments;
const ROUNDS = Number(rounds ?? inFull(5, 1));
const SUBJECTS = subjects?.split(',') ?? ['studio', 'zenfs', 'lightning-fs', 'sqlite-opfs'];
const SCALE: Scale = inFull(
  { foldersPerProject: 100, times: 1_000, settleMs: 1_500 },
  { foldersPerProject: 1, times: 5, settleMs: 50 },
);

/**
 * The time after which a step is aborted, in milliseconds. Its subject is then left out of all following steps, in this
 * round and in later ones.
 */
const STEP_MAX_MS = 60_000;

/** The minimum ratio of the best peer's time to the studio's. */
const REQUIRED: Record<string, number> = {
  'create 10,000 files of 500 B': 1.5,
  'open cold, and list a folder': 1.5,
  'list 500 folders': 10,
  '1,000 random reads': 10,
  'overwrite a file 1,000 times': 1,
  checkpoint: 8,
  'rename a folder of 2,000': 3,
  'delete 2,000 files': 3,
  'restore the checkpoint': 10,
  'import 50 MB': 2,
  '1,000 cold reads of 50 MB': 1,
  'search 50 MB cold': 1.5,
  'search 50 MB warm': 2,
};

/** The measurements by step and subject, with a value for each round. */
const results = new Map<string, Map<string, Measured[]>>();
/** The step at which a subject was aborted. */
const cuts = new Map<string, string>();

const site = await openBenchSite('bench/vfs');
try {
  for (let round = 0; round < ROUNDS; round++)
    for (const name of SUBJECTS.filter((subject) => !cuts.has(subject))) await runRound(name, round);
} finally {
  await site.close();
}
printResults();
for (const [name, step] of cuts) {
  console.log(`${name} was cut at “${step}”, after ${STEP_MAX_MS / 1_000} s; its later steps were not run.`);
  if (name === 'studio') process.exitCode = 1;
}

/** Runs all steps in a new page. The page may be too busy to respond, so the steps are timed from here. */
async function runRound(name: string, round: number): Promise<void> {
  const page = await site.context.newPage();
  page.on('pageerror', (error) => console.error(`${name}: ${error.message}`));
  let timer: NodeJS.Timeout | undefined;
  const cut = Promise.withResolvers<void>();
  await page.exposeFunction('reportStep', (step: string, measured?: Measured) => {
    clearTimeout(timer);
    if (measured !== undefined) return add(step, name, measured);
    timer = setTimeout(() => {
      cuts.set(name, step);
      cut.resolve();
    }, STEP_MAX_MS);
  });
  await page.goto(site.url);
  const played = page.evaluate(
    ([subject, index, scale]) =>
      (window as unknown as { runRound(name: string, round: number, scale: Scale): Promise<void> }).runRound(
        subject,
        index,
        scale,
      ),
    [name, round, SCALE] as const,
  );
  // Closing the page ends it.
  played.catch(() => undefined);
  try {
    await Promise.race([played, cut.promise]);
  } finally {
    clearTimeout(timer);
    await page.close();
  }
}

function add(step: string, name: string, measured: Measured): void {
  const bySubject = results.get(step) ?? new Map<string, Measured[]>();
  results.set(step, bySubject.set(name, [...(bySubject.get(name) ?? []), measured]));
}

function printResults(): void {
  if (!isShort) console.log(`Medians of ${ROUNDS} rounds, in milliseconds; the page's longest stall in parentheses\n`);
  for (const [step, bySubject] of results) {
    const of = (name: string, what: 'ms' | 'stallMs') =>
      median((bySubject.get(name) ?? []).map((value) => value[what]));
    const shown = SUBJECTS.flatMap((name) => {
      if (cuts.get(name) === step) return [`${name} cut after ${STEP_MAX_MS}`];
      return bySubject.has(name) ? [`${name} ${of(name, 'ms').toFixed(1)} (${of(name, 'stallMs').toFixed(0)})`] : [];
    });
    const peers = SUBJECTS.filter((name) => name !== 'studio' && bySubject.has(name));
    const ratio = Math.min(...peers.map((name) => of(name, 'ms'))) / of('studio', 'ms');
    const required = REQUIRED[step];
    const verdict =
      required === undefined || peers.length === 0 || isShort
        ? ''
        : `  ${ratio.toFixed(1)} times, ${required} required${ratio < required ? ' — MISSED' : ''}`;
    console.log(`${step}: ${shown.join(', ')}${verdict}`);
  }
}
