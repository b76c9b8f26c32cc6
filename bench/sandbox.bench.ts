// The sandbox: how long a session takes to start, how long an evaluation's round trip takes, and whether code in it is
// as fast as in the page itself, in real Chromium. The peer of the computation is the page, in the same run.
import { CODE_SANDBOX, SANDBOX_FRAME_PATH } from '#lib/sandbox/frame-document.ts';
import { answerFrame } from '#scripts/lib/built-site.ts';
import { openBenchSite } from './lib/bench-site.ts';
import { median } from './lib/median.ts';
import { inFull, verdict } from './lib/options.ts';
import type { Counts, Results } from './sandbox/page.ts';

const COLD_MAX_MS = 1_000;
const WARM_MAX_MS = 5;
const SIEVE_MIN_RATIO = 0.9;
/** The number of times that each measurement is repeated. */
const COUNTS = inFull({ cold: 7, warm: 300, sieve: 9 }, { cold: 2, warm: 3, sieve: 1 });

const site = await openBenchSite('bench/sandbox', (request, response) =>
  answerFrame(request, response, SANDBOX_FRAME_PATH, CODE_SANDBOX),
);
try {
  const page = await site.context.newPage();
  page.on('pageerror', (error) => console.error(error.message));
  await page.goto(site.url);
  const { cold, warm, sieveInPage, sieveInSandbox } = await page.evaluate(
    (counts) => (window as unknown as { runSandbox: (counts: Counts) => Promise<Results> }).runSandbox(counts),
    COUNTS,
  );
  const [first = Number.NaN, ...later] = cold;
  const ratio = median(sieveInPage) / median(sieveInSandbox);
  console.log(
    `the page’s first session: ${first.toFixed(0)} ms; another: ${median(later).toFixed(0)} ms${verdict(`${COLD_MAX_MS} ms at most`, Math.max(first, median(later)) <= COLD_MAX_MS)}`,
  );
  console.log(
    `1 + 1 in a session that is there: ${median(warm).toFixed(2)} ms${verdict(`${WARM_MAX_MS} ms at most`, median(warm) <= WARM_MAX_MS)}`,
  );
  console.log(
    `primes up to 5,000,000: ${median(sieveInSandbox).toFixed(1)} ms, in the page ${median(sieveInPage).toFixed(1)}: ${ratio.toFixed(2)} times as fast${verdict(`${SIEVE_MIN_RATIO} at least`, ratio >= SIEVE_MIN_RATIO)}`,
  );
} finally {
  await site.close();
}
