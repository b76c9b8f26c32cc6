// The preview: how long a React project of 32 files takes to appear at first, and to show a change, in real Chromium.
// The peer is esbuild-wasm alone in the same page: started, and bundling the same modules from memory, without showing
// anything.
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { PREVIEW_FRAME_PATH, PREVIEW_SANDBOX } from '#lib/sandbox/frame-document.ts';
import { PREVIEW_FILES } from '#lib/sandbox/preview/packages.ts';
import { answerFrame } from '#scripts/lib/built-site.ts';
import { ROOT } from '#scripts/lib/run.ts';
import { openBenchSite } from './lib/bench-site.ts';
import { median } from './lib/median.ts';
import { inFull, verdict } from './lib/options.ts';
import type { Results } from './preview/page.ts';

const ROUNDS = inFull(5, 1);
const CHANGES = inFull(20, 1);
const FIRST_MAX_MS = 1_500;
const CHANGED_MAX_MS = 500;

const rounds: Results[] = [];
for (let round = 0; round < ROUNDS; round++) {
  // A browser that has never visited the page.
  const site = await openBenchSite('bench/preview', (request, response) => {
    const url = request.url ?? '/';
    if (url.startsWith(`${PREVIEW_FILES}/`)) {
      const type = url.endsWith('.wasm') ? 'application/wasm' : 'text/javascript';
      response.writeHead(200, { 'content-type': type });
      createReadStream(join(ROOT, 'public', url)).pipe(response);
      return true;
    }
    return answerFrame(request, response, PREVIEW_FRAME_PATH, PREVIEW_SANDBOX);
  });
  try {
    const page = await site.context.newPage();
    page.on('pageerror', (error) => console.error(error.message));
    await page.goto(site.url);
    rounds.push(
      await page.evaluate(
        (changes) => (window as unknown as { runPreview: (changes: number) => Promise<Results> }).runPreview(changes),
        CHANGES,
      ),
    );
  } finally {
    await site.close();
  }
}
const report = (what: string, values: readonly number[], peer: readonly number[], limit?: number) => {
  const [own, alone] = [median(values), median(peer)];
  const goal = limit === undefined ? '' : verdict(`${limit} ms at most`, own <= limit);
  console.log(
    `${what}: ${own.toFixed(0)} ms (${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)})${goal}; esbuild-wasm alone ${alone.toFixed(0)} ms, ${(own / alone).toFixed(1)} times as long`,
  );
};
console.log(`A React project of ${rounds[0]?.files} files, medians of ${ROUNDS} rounds`);
const peerFirst = rounds.map((round) => round.peerFirst);
report(
  'first build',
  rounds.map(({ built }) => built),
  peerFirst,
  FIRST_MAX_MS,
);
report(
  'first look, until the page is there',
  rounds.map(({ first }) => first),
  peerFirst,
  FIRST_MAX_MS,
);
const peerChanged = rounds.flatMap((round) => round.peerChanged);
report(
  'a change of a module',
  rounds.flatMap(({ changed }) => changed),
  peerChanged,
  CHANGED_MAX_MS,
);
report(
  'a change of a style',
  rounds.flatMap(({ styled }) => styled),
  peerChanged,
);
