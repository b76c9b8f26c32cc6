import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from '@playwright/test';
import type { TestBench } from '#e2e/lib/bench.ts';
import type { ScriptedTurn } from '#e2e/lib/scripted-model.ts';
import { writeBrowserData } from '#e2e/profiles/browser-data.ts';
import { threadUrl } from '#studio/page/navigation.ts';
import { inFull } from '../lib/options.ts';
import { installProbe, type Probe } from './probe.ts';
import { storedThreads } from './stored.ts';
import { type BenchThread, longAnswer } from './threads.ts';

/** Tasks over 50 ms, in milliseconds. */
export interface Tasks {
  /** 0 if none took more than 50 ms. */
  longest: number;
  count: number;
}

/** The figures of one thread in a new browser; times are in milliseconds. */
export interface Visit {
  load: number;
  opening: Tasks;
  elements: number;
  outside: number;
  heapBytes: number;
  /** From pressing Enter until the model is asked. */
  sending: Tasks;
  streaming: Tasks;
  keys: number[];
  scrolling: Tasks;
  blankFrames: number;
}

type Unscrolled = Omit<Visit, 'scrolling' | 'blankFrames'>;

const IDLE_MS = inFull(2_000, 100);
const ANSWER = longAnswer(inFull(12_000, 1_000));
/** About four seconds for the whole answer. */
const DELIVERY = { piece: 12, delayMs: 4 };
const KEY_EVERY_MS = 100;
const SWITCHES = inFull(4, 1);
const LOAD_TIMEOUT_MS = 60_000;

/** The address of one of the two lists, and the server that answers its requests. */
export interface Arm {
  url: string;
  bench: TestBench;
  browser: Browser;
}

/** Opens a thread in a new browser, lets an answer stream into it, and scrolls through it. */
export function visit(arm: Arm, thread: BenchThread): Promise<Visit> {
  return withThreads(arm, [thread], async (page) => {
    const seen = await openAndAnswer(page, arm.bench);
    await setTimeout(IDLE_MS);
    await takeTasks(page);
    const { blank } = await inPage(page, (probe) => probe.scrollToStart());
    return { ...seen, scrolling: await takeTasks(page), blankFrames: blank };
  });
}

/** Opens a thread in a new browser, and lets an answer stream into it: a visit without the minute of scrolling. */
export const shortVisit = (arm: Arm, thread: BenchThread): Promise<Unscrolled> =>
  withThreads(arm, [thread], (page) => openAndAnswer(page, arm.bench));

async function openAndAnswer(page: Page, bench: TestBench): Promise<Unscrolled> {
  const load = await opened(page);
  await setTimeout(IDLE_MS);
  const opening = await takeTasks(page);
  const { all, outside } = await inPage(page, (probe) => probe.countElements());
  const heapBytes = await usedHeap(page);
  return { load, opening, elements: all, outside, heapBytes, ...(await streamAnswer(page, bench)) };
}

/** From a click in the list of threads until the other thread is there; both were opened before. */
export interface Switch {
  ms: number;
  /** Whether it showed its end. */
  isAtEnd: boolean;
}

export function switchThreads(arm: Arm, threads: readonly [BenchThread, BenchThread]): Promise<Switch[]> {
  return withThreads(arm, threads, async (page) => {
    await opened(page);
    await setTimeout(IDLE_MS);
    const switches: Switch[] = [];
    const [first, second] = threads;
    // The second thread is opened for the first time, and then the first one is shown again.
    for (let turn = 0; turn < SWITCHES + 2; turn++) {
      const { thread, beginning, ending } = turn % 2 === 0 ? second : first;
      await inPage(page, (probe, words) => probe.awaitSwitch(words), { beginning, ending });
      await page.click(`nav a[href="${threadUrl(thread.id)}"]`);
      switches.push(await inPage(page, (probe) => probe.switched));
      await setTimeout(IDLE_MS / 2);
    }
    return switches.slice(2);
  });
}

/** Stores the threads in a new browser, and opens the first one at its address. */
async function withThreads<T>(
  { url, browser }: Arm,
  threads: readonly BenchThread[],
  measure: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({
    locale: 'en-US',
    colorScheme: 'light',
    viewport: { width: 1_280, height: 800 },
  });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(LOAD_TIMEOUT_MS);
    page.on('pageerror', (error) => console.error(error.message));
    // Any document of the origin will do, as long as it does not open the studio.
    await page.goto(`${url}/icon.svg`);
    await page.evaluate(writeBrowserData, await storedThreads(threads));
    await page.addInitScript(installProbe, threads[0]?.ending ?? '');
    await page.goto(`${url}${threadUrl(threads[0]?.thread.id ?? null)}`, { waitUntil: 'commit' });
    return await measure(page);
  } finally {
    await context.close();
  }
}

function opened(page: Page): Promise<number> {
  const late = setTimeout(LOAD_TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw new Error(`The thread was not shown within ${LOAD_TIMEOUT_MS / 1000} s.`);
  });
  return Promise.race([inPage(page, (probe) => probe.opened), late]);
}

/**
 * Opens a thread in a new browser, and lets an answer stream into it. Resolves with the tasks from its first request on.
 * Marks the time between them in traces: `ANSWER_BEGINS`, `ANSWER_ENDS`.
 */
export function streamInto({
  arm,
  thread,
  turn,
}: {
  arm: Arm;
  thread: BenchThread;
  turn: ScriptedTurn;
}): Promise<Tasks> {
  return withThreads(arm, [thread], async (page) => {
    await opened(page);
    await setTimeout(IDLE_MS);
    const request = await ask(page, arm.bench, turn);
    await takeTasks(page);
    await mark(page, ANSWER_BEGINS);
    while (request()?.endedAt === undefined) await setTimeout(KEY_EVERY_MS);
    await setTimeout(IDLE_MS);
    await mark(page, ANSWER_ENDS);
    return takeTasks(page);
  });
}

export const ANSWER_BEGINS = 'answer begins';
export const ANSWER_ENDS = 'answer ends';

const mark = (page: Page, name: string): Promise<void> => page.evaluate((given) => void performance.mark(given), name);

/** Sends a message whose answer is `turn`, and waits until the model is asked. Returns a function for the state of that request. */
async function ask(page: Page, bench: TestBench, turn: ScriptedTurn) {
  const prompt = `Describe all of it. ${crypto.randomUUID()}`;
  bench.model.script(prompt, [turn]);
  const request = () => bench.model.timing.find((timing) => timing.prompt === prompt);
  await page.fill('main textarea', prompt);
  await setTimeout(IDLE_MS / 2);
  await takeTasks(page);
  await page.keyboard.press('Enter');
  // Asked here, because looking for something in the page would slow it down.
  while (request() === undefined) await setTimeout(10);
  return request;
}

async function streamAnswer(page: Page, bench: TestBench): Promise<Pick<Visit, 'sending' | 'streaming' | 'keys'>> {
  const request = await ask(page, bench, { text: ANSWER, ...DELIVERY });
  const sending = await takeTasks(page);
  await inPage(page, (probe) => probe.takeKeys());
  for (let key = 0; request()?.endedAt === undefined; key++) {
    const next = setTimeout(KEY_EVERY_MS);
    await page.keyboard.press(key % 6 === 5 ? 'Space' : 'a');
    await next;
  }
  await setTimeout(IDLE_MS / 2);
  return { sending, streaming: await takeTasks(page), keys: await inPage(page, (probe) => probe.takeKeys()) };
}

async function takeTasks(page: Page): Promise<Tasks> {
  const tasks = await inPage(page, (probe) => probe.takeTasks());
  return { longest: Math.max(0, ...tasks), count: tasks.length };
}

async function usedHeap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN;
}

/** Calls the page's probe. The function runs in the page. */
async function inPage<Result, Argument>(
  page: Page,
  use: (probe: Probe, argument: Argument) => Result,
  argument?: Argument,
): Promise<Awaited<Result>> {
  const probe = await page.evaluateHandle(() => (window as unknown as { threadProbe: Probe }).threadProbe);
  try {
    return await probe.evaluate(use as never, argument as never);
  } finally {
    await probe.dispose();
  }
}
