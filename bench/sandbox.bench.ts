// The sandbox: how long a session takes to be there, how long an evaluation's round trip takes, and whether code in it is
// as quick as in the page itself, in real Chromium. The peer of the computation is the page, in the same run.
import { CODE_SANDBOX, SANDBOX_FRAME_PATH } from '#lib/sandbox/frame-document.ts';
import { answerFrame } from '#scripts/lib/built-site.ts';
import { median, openBenchSite } from './lib/bench-site.ts';
import type { Results } from './sandbox/page.ts';

const COLD_MAX_MS = 1_000;
const WARM_MAX_MS = 5;
const SIEVE_MIN_RATIO = 0.9;

const site = await openBenchSite('bench/sandbox', (request, response) =>
  answerFrame(request, response, SANDBOX_FRAME_PATH, CODE_SANDBOX),
);
try {
  const page = await site.context.newPage();
  page.on('pageerror', (error) => console.error(error.message));
  await page.goto(site.url);
  const { cold, warm, sieveInPage, sieveInSandbox } = await page.evaluate(() =>
    (window as unknown as { runSandbox(): Promise<Results> }).runSandbox(),
  );
  const [first = Number.NaN, ...later] = cold;
  const ratio = median(sieveInPage) / median(sieveInSandbox);
  const verdict = (isReached: boolean) => (isReached ? '' : ' — MISSED');
  console.log(
    `the page’s first session: ${first.toFixed(0)} ms; another: ${median(later).toFixed(0)} ms, ${COLD_MAX_MS} at most${verdict(Math.max(first, median(later)) <= COLD_MAX_MS)}`,
  );
  console.log(
    `1 + 1 in a session that is there: ${median(warm).toFixed(2)} ms, ${WARM_MAX_MS} at most${verdict(median(warm) <= WARM_MAX_MS)}`,
  );
  console.log(
    `primes up to 5,000,000: ${median(sieveInSandbox).toFixed(1)} ms, in the page ${median(sieveInPage).toFixed(1)}: ${ratio.toFixed(2)} times as quick, ${SIEVE_MIN_RATIO} at least${verdict(ratio >= SIEVE_MIN_RATIO)}`,
  );
} finally {
  await site.close();
}
