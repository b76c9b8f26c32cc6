// A long answer with formulas and diagrams that streams into a thread, in real Chromium: the tasks over 50 ms that it
// causes, and how many of them also computed for so long, instead of waiting for one of the machine's cores. The peer is the
// same answer without formulas and diagrams.
import { chromium } from '@playwright/test';
import { TestBench } from '#e2e/lib/bench.ts';
import { launchOptions } from '#scripts/lib/browser.ts';
import { median } from './lib/median.ts';
import { benchArguments, inFull, verdict } from './lib/options.ts';
import { threadOfRows } from './thread/threads.ts';
import { ANSWER_BEGINS, ANSWER_ENDS, streamInto, type Tasks } from './thread/visit.ts';

/** `npm run bench -- answer 1` measures only one round. */
const ROUNDS = inFull(Number(benchArguments[0] ?? 5), 1);
const PARTS = inFull(200, 10);
/** A formula in each part, and a diagram in every tenth. */
const DIAGRAM_EVERY = 10;
/** About 10,000 characters a second, more than any model writes, and 2,500, as fast ones do. */
const FAST = { piece: 400, delayMs: 40 };
const USUAL = { piece: 100, delayMs: 40 };
const TASK_MAX_MS = 50;

const FORMS = {
  plain: { hasFormulas: false, hasDiagrams: false, delivery: FAST },
  'with formulas': { hasFormulas: true, hasDiagrams: false, delivery: FAST },
  'with formulas and diagrams': { hasFormulas: true, hasDiagrams: true, delivery: FAST },
  'plain, at a quarter of the speed': { hasFormulas: false, hasDiagrams: false, delivery: USUAL },
  'with formulas and diagrams, at a quarter of the speed': { hasFormulas: true, hasDiagrams: true, delivery: USUAL },
} as const;
type Form = keyof typeof FORMS;

const formula = (part: number): string =>
  part % 2 === 0
    ? `The value $x_{${part}} = \\frac{-b \\pm \\sqrt{b^2-4ac}}{2a}$ is found here.`
    : `$$\n\\int_0^{${part}} \\frac{x^{${part}}}{\\sqrt{1+x^2}} \\,dx = \\sum_{k=1}^{n} \\binom{n}{k} a_k\n$$`;

const diagram = (part: number): string =>
  `\`\`\`mermaid\nflowchart TD\n  A${part}[Start] --> B{Works?}\n  B --> C\n\`\`\``;

function answer({ hasFormulas, hasDiagrams }: Pick<(typeof FORMS)[Form], 'hasFormulas' | 'hasDiagrams'>): string {
  const parts = Array.from({ length: PARTS }, (_, part) => [
    ...(part % DIAGRAM_EVERY === 0 ? [`## Part ${part}`] : []),
    ...Array.from(
      { length: 5 },
      (_, line) =>
        `Line ${part}.${line} has **some** words, \`code\`, and a [link](https://example.com), as answers have.`,
    ),
    '- one\n- two\n- three',
    `\`\`\`js\n${Array.from({ length: 4 }, (_, line) => `const value${line} = ${part} + ${line};`).join('\n')}\n\`\`\``,
    ...(hasFormulas ? [formula(part)] : []),
    ...(hasDiagrams && part % DIAGRAM_EVERY === 5 ? [diagram(part)] : []),
  ]);
  return parts.flat().join('\n\n');
}

const bench = await TestBench.start({ LOG_LEVEL: 'warn' });
const browser = await chromium.launch(launchOptions());
const arm = { url: bench.url, bench, browser };
const forms = Object.keys(FORMS) as Form[];
/** `computing`: the number of tasks that computed for more than 50 ms. */
type Measured = Tasks & { computing: number };
const measured = Object.fromEntries(forms.map((form) => [form, [] as Measured[]])) as Record<Form, Measured[]>;
try {
  for (let round = 0; round < ROUNDS; round++)
    for (const form of round % 2 === 0 ? forms : forms.toReversed()) measured[form].push(await stream(form));
} finally {
  await browser.close();
  await bench.stop();
}

console.log(`An answer of ${answer(FORMS['with formulas and diagrams']).split('\n').length} lines; ${ROUNDS} rounds`);
const counts = Object.fromEntries(forms.map((form) => [form, median(measured[form].map(({ count }) => count))]));
for (const form of forms) {
  const longest = Math.max(...measured[form].map((tasks) => tasks.longest));
  const computing = median(measured[form].map((tasks) => tasks.computing));
  console.log(
    `${form}: ${counts[form]} tasks over ${TASK_MAX_MS} ms (median), the longest of all rounds ${longest} ms; ${computing} that computed for so long (median)${verdict('none', longest === 0)}`,
  );
}

async function stream(form: Form): Promise<Measured> {
  await browser.startTracing(undefined, { categories: ['toplevel', 'blink.user_timing', '__metadata'] });
  const turn = { text: answer(FORMS[form]), ...FORMS[form].delivery };
  const tasks = await streamInto({ arm, thread: threadOfRows(4), turn });
  return { ...tasks, computing: computingTasks(JSON.parse(String(await browser.stopTracing()))) };
}

/** An event of Chromium's traces. `ts`: its time; `tdur`: the time that its thread has computed; both in microseconds. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  tdur?: number;
}

/** The number of tasks of the page that computed for more than `TASK_MAX_MS` while the answer was written. */
function computingTasks({ traceEvents }: { traceEvents: readonly TraceEvent[] }): number {
  const [begin, end] = [ANSWER_BEGINS, ANSWER_ENDS].map((mark) => traceEvents.find(({ name }) => name === mark));
  if (begin === undefined || end === undefined) throw new Error('The trace does not say when the answer was written.');
  const tasks = traceEvents.filter(
    ({ name, pid, tid, ts }) =>
      name === 'ThreadControllerImpl::RunTask' &&
      pid === begin.pid &&
      tid === begin.tid &&
      ts >= begin.ts &&
      ts <= end.ts,
  );
  if (!tasks.some(({ tdur = 0 }) => tdur > 0)) throw new Error('The trace has no tasks of the page.');
  return tasks.filter(({ tdur = 0 }) => tdur > TASK_MAX_MS * 1_000).length;
}
