// Long threads in real Chromium: opening them, their memory, answers that stream into them, and scrolling. The peer is
// the same studio with assistant-ui's plain list of messages, which mounts every row.
import { chromium } from '@playwright/test';
import { TestBench } from '#e2e/lib/bench.ts';
import { launchOptions } from '#scripts/lib/browser.ts';
import { median } from './lib/median.ts';
import { benchArguments, inFull, verdict } from './lib/options.ts';
import { servePlainSite } from './thread/plain-site.ts';
import { type ArmName, HEADER, linesOf, MEASURES, type Subject } from './thread/report.ts';
import { type BenchThread, threadOfCalls, threadOfRows } from './thread/threads.ts';
import { type Arm, type Switch, switchThreads, type Visit, visit } from './thread/visit.ts';

/** `npm run bench -- thread 3` measures only three rounds. */
const ROUNDS = inFull(Number(benchArguments[0] ?? 5), 1);
const LENGTHS = inFull([4, 300, 1_000], [4, 12]);
const CALLS = 200;
const SWITCHED_ROWS = inFull(300, 4);
const SWITCH_MAX_MS = 150;

const ARMS = ['studio', 'plain'] as const;
const kinds: { name: string; isLonger: boolean; make: () => BenchThread }[] = [
  ...LENGTHS.map((rows, index) => ({
    name: `${rows.toLocaleString('en')} rows`,
    isLonger: index > 0,
    make: () => threadOfRows(rows),
  })),
  ...inFull([{ name: `${CALLS} calls`, isLonger: false, make: () => threadOfCalls(CALLS) }], []),
];

const bench = await TestBench.start({ LOG_LEVEL: 'warn' });
const site = await servePlainSite(bench.url);
const browser = await chromium.launch(launchOptions());
const arms: Record<ArmName, Arm> = {
  studio: { url: bench.url, bench, browser },
  plain: { url: `http://localhost:${site.port}`, bench, browser },
};
try {
  const subjects = kinds.map((kind) => ({ ...kind, visits: { studio: [] as Visit[], plain: [] as Visit[] } }));
  const switches: Record<ArmName, Switch[]> = { studio: [], plain: [] };
  // The servers' and the browser's first requests take longer.
  for (const arm of inFull<readonly ArmName[]>(ARMS, [])) await visit(arms[arm], threadOfRows(4));
  for (let round = 0; round < ROUNDS; round++) {
    // Each list goes first in turn.
    const order = round % 2 === 0 ? ARMS : ARMS.toReversed();
    for (const { make, visits } of subjects) {
      for (const arm of order) visits[arm].push(await visit(arms[arm], make()));
    }
    for (const arm of order) {
      const pair = [threadOfRows(SWITCHED_ROWS), threadOfRows(SWITCHED_ROWS)] as const;
      switches[arm].push(...(await switchThreads(arms[arm], pair)));
    }
  }
  report(subjects, switches);
} finally {
  await browser.close();
  site.close();
  await bench.stop();
}

function report(subjects: readonly Subject[], switches: Readonly<Record<ArmName, readonly Switch[]>>): void {
  console.log(`Threads in the studio, and in the same studio with a plain list; medians of ${ROUNDS} rounds`);
  console.log(HEADER);
  for (const measure of MEASURES) console.log(linesOf(measure, subjects).join('\n'));
  const times = (arm: ArmName) => median(switches[arm].map(({ ms }) => ms));
  const atEnd = (arm: ArmName) => switches[arm].filter(({ isAtEnd }) => isAtEnd).length;
  const [own, plain] = [times('studio'), times('plain')];
  console.log(
    `switching between two threads of ${SWITCHED_ROWS} rows: studio ${own.toFixed(0)} ms, plain ${plain.toFixed(0)} ms, ${(own / plain).toFixed(2)}×${verdict(`${SWITCH_MAX_MS} ms at most`, own <= SWITCH_MAX_MS)}`,
  );
  console.log(
    `  of ${switches.studio.length} switches, ${atEnd('studio')} showed the end in the studio, and ${atEnd('plain')} with the plain list`,
  );
}
