// The sandbox's attacks in Firefox, outside `npm test`: npm run firefox. Prints the results, and fails if data got out.
import { CODE_SANDBOX, SANDBOX_FRAME_PATH } from '#lib/sandbox/frame-document.ts';
import { answerDiagrams, answerDocumentsWorker, answerFrame, serveBuiltSite } from '#scripts/lib/built-site.ts';
import { findFirefox, startFirefox } from '#scripts/lib/firefox.ts';
import { ensurePreviewFiles } from '#scripts/lib/preview-files.ts';
import { ensureWorkerFiles } from '#scripts/lib/worker-files.ts';
import { pagePolicy } from '#server/http/page-policy.ts';
import { denials, exfiltrations, forgeries, intrusions, navigations } from '../lib/attacks.ts';
import { startCountingServer } from '../lib/counting-server.ts';
import { END, hostileAnswers, markdownOf } from '../lib/hostile-answers.ts';
import type { DrawnOutcome, PieceOutcome, ReadOutcome, ShownOutcome } from './page.ts';

/** Maximum delay of the page's timers, in milliseconds. */
const STALL_MAX_MS = 500;

/** Firefox checks no policy before preconnecting, and knows no list of allowed connections. No data is sent. */
const KNOWN = new Set(['preconnect: tcp']);

const path = findFirefox();
if (path === undefined) {
  process.stderr.write(
    'No Firefox was found. Install one (Debian: apt install firefox-esr), or name it with FIREFOX=….\n',
  );
  process.exit(1);
}
// The sandbox's kernel is one of these files.
await ensurePreviewFiles();
await ensureWorkerFiles();
// Packages for React have warnings about where they run.
const site = await serveBuiltSite(
  'e2e/firefox',
  (request, response) => {
    if (
      answerFrame(request, response, SANDBOX_FRAME_PATH, CODE_SANDBOX) ||
      answerDiagrams(request, response) ||
      answerDocumentsWorker(request, response)
    )
      return true;
    // The same policy as the studio’s page.
    response.setHeader('content-security-policy', pagePolicy(`http://${request.headers.host}`, undefined, 'none'));
    return false;
  },
  { logLevel: 'error' },
);
const elsewhere = await startCountingServer();
const firefox = await startFirefox(path);
const faults: string[] = [];
try {
  const studio = `http://localhost:${site.port}`;
  await firefox.open(`${studio}/`);
  const targets = {
    http: `http://127.0.0.1:${elsewhere.port}`,
    ws: `ws://127.0.0.1:${elsewhere.port}`,
    stun: `stun:127.0.0.1:${elsewhere.udpPort}`,
    studio,
  };
  console.log(firefox.version);
  const [first] = await run([{ code: 'typeof document' }]);
  console.log(`Code runs in ${first?.hasNoDom ? 'a worker, without a DOM' : 'a window of its own thread'}.`);
  const groups = { 'ways out': exfiltrations(targets), 'ways to leave': navigations(targets), intrusions, forgeries };
  for (const [group, attacks] of Object.entries(groups)) {
    const outcomes: PieceOutcome[] = [];
    for (const { name, code } of attacks) {
      const before = elsewhere.hits.length;
      outcomes.push(...(await run([{ code }, { code: '1 + 1' }])));
      for (const hit of elsewhere.hits.slice(before))
        if (KNOWN.has(`${name}: ${hit}`)) console.log(`known: ${name} reached the other server: ${hit}`);
        else faults.push(`${name} reached the other server: ${hit}`);
    }
    report(group, attacks, outcomes);
  }
  const outcomes = await run(denials.flatMap(({ code, timeout }) => [{ code, timeout }, { code: '1 + 1' }]));
  report('denials of service', denials, outcomes);
  const stalls = denials.map(({ name }, index) => ({ name, ms: Math.round(outcomes[2 * index]?.stallMs ?? 0) }));
  stalls.sort((one, other) => other.ms - one.ms);
  console.log(
    `Longest stalls: ${stalls
      .slice(0, 5)
      .map(({ name, ms }) => `${name} ${ms} ms`)
      .join(', ')}`,
  );
  for (const { name, ms } of stalls) if (ms > STALL_MAX_MS) faults.push(`${name} blocked the page for ${ms} ms`);
  const diagrams = [
    ...hostileAnswers(targets.http).flatMap(({ name, language, source }) =>
      language === 'text' ? [] : [{ name, kind: language, source }],
    ),
    { name: 'a good one', kind: 'mermaid', source: 'flowchart TD\n  A --> B' },
  ];
  const reached = elsewhere.hits.length;
  const drawn = await firefox.call<DrawnOutcome[]>('(diagrams) => drawAll(diagrams)', diagrams);
  console.log(
    `hostile diagrams: ${drawn.length}, of which ${drawn.filter(({ isDrawn }) => isDrawn).length} were drawn`,
  );
  for (const hit of elsewhere.hits.slice(reached)) faults.push(`a diagram reached the other server: ${hit}`);
  for (const [index, { ran, stallMs, isDrawn }] of drawn.entries()) {
    const name = diagrams[index]?.name;
    if (ran) faults.push(`${name}: its script ran`);
    if (stallMs > STALL_MAX_MS) faults.push(`${name} blocked the page for ${Math.round(stallMs)} ms`);
    if (index === drawn.length - 1 && !isDrawn) faults.push('after hostile diagrams, nothing is drawn');
  }
  const beforeAnswers = elsewhere.hits.length;
  const answers = hostileAnswers(targets.http).filter(({ language }) => language === 'text');
  const shown = await firefox.call<ShownOutcome[]>(`(answers) => showAll(answers, '${END}')`, answers.map(markdownOf));
  console.log(
    `hostile formulas, HTML, and Markdown: ${shown.length}, longest stall ${Math.round(Math.max(...shown.map(({ stallMs }) => stallMs)))} ms`,
  );
  for (const hit of elsewhere.hits.slice(beforeAnswers)) faults.push(`an answer reached the other server: ${hit}`);
  for (const [index, { isShown, ran, stallMs }] of shown.entries()) {
    const name = answers[index]?.name;
    if (!isShown) faults.push(`${name} is not shown to its end`);
    if (ran) faults.push(`${name}: something in it ran`);
    if (stallMs > STALL_MAX_MS) faults.push(`${name} blocked the page for ${Math.round(stallMs)} ms`);
  }
  const afterAnswers = elsewhere.hits.length;
  const documents = await firefox.call<ReadOutcome[]>('(target) => readAll(target)', targets.http);
  console.log(
    `hostile documents: ${documents.length}, longest stall ${Math.round(Math.max(...documents.map(({ stallMs }) => stallMs)))} ms`,
  );
  for (const hit of elsewhere.hits.slice(afterAnswers)) faults.push(`a document reached the other server: ${hit}`);
  for (const { name, text, isExpected, ran, stallMs } of documents) {
    if (ran) faults.push(`${name}: something in it ran`);
    if (!isExpected) faults.push(`${name}: read as ${text.slice(0, 200)}`);
    if (stallMs > STALL_MAX_MS) faults.push(`${name} blocked the page for ${Math.round(stallMs)} ms`);
  }
  if (firefox.opened.length > 0) faults.push(`opened: ${firefox.opened.join(', ')}`);
} finally {
  await firefox.stop();
  await elsewhere.stop();
  site.close();
}
console.log(faults.length === 0 ? 'Nothing else got out.' : faults.join('\n'));
process.exit(faults.length === 0 ? 0 : 1);

function run(pieces: readonly { code: string; timeout?: number }[]): Promise<PieceOutcome[]> {
  return firefox.call<PieceOutcome[]>('(pieces) => runPieces(pieces)', pieces);
}

/** Each attack is followed by a computation, which must succeed. */
function report(group: string, attacks: readonly { name: string }[], outcomes: readonly PieceOutcome[]): void {
  console.log(`${group}: ${attacks.length}`);
  for (const [index, { name }] of attacks.entries()) {
    if (outcomes[2 * index]?.text.includes('OUT')) faults.push(`${name}: ${outcomes[2 * index]?.text}`);
    if (outcomes[2 * index + 1]?.text !== '2') faults.push(`after ${name}: ${outcomes[2 * index + 1]?.text}`);
  }
}
