import { type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test';
import { launchOptions } from '../lib/browser.ts';
import { openSeenStudio } from '../lib/seen-studio.ts';

const ROUNDS = 11;

/** Kinds of work of the page's main thread, by the names of Chromium's trace events. */
const WORK: Readonly<Record<string, readonly string[]>> = {
  'compiling scripts': ['v8.compile', 'v8.compileModule', 'V8.CompileCode'],
  'running scripts': ['EvaluateScript', 'v8.evaluateModule', 'FunctionCall', 'RunMicrotasks', 'TimerFire'],
  'style, layout, paint': ['UpdateLayoutTree', 'Layout', 'PrePaint', 'Paint', 'Layerize', 'Commit'],
};

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
}

/** The times of one page that opens, in milliseconds. */
interface Boot {
  /** Until the message box is visible, and until nothing more is loaded. */
  visible: number;
  idle: number;
  /** The work of the page's main thread until then, by kind. */
  work: Record<string, number>;
  /** The time that the page waited for databases, and for the network. */
  databases: number;
  network: number;
}

declare global {
  interface Window {
    databaseWaits?: [from: number, to: number][];
  }
}

/** Opens the production build in new browsers, and prints what the time goes into, as medians. */
export async function measureBoot(): Promise<void> {
  const studio = await openSeenStudio({ DISCOVER_LOCAL: 'false', LOG_LEVEL: 'error' });
  const boots: Boot[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const browser = await chromium.launch(launchOptions());
      const context = await browser.newContext({ baseURL: studio.url, viewport: { width: 1440, height: 900 } });
      const boot = await bootOnce(context);
      // The first one warms up the server.
      if (round > 0) boots.push(boot);
      await browser.close();
    }
  } finally {
    await studio.close();
  }
  const median = (of: (boot: Boot) => number): string => {
    const sorted = boots.map(of).sort((a, b) => a - b);
    return `${(sorted[Math.floor(sorted.length / 2)] ?? Number.NaN).toFixed(0).padStart(6)} ms`;
  };
  console.log(`One page that opens, in a new browser each time, medians of ${boots.length}`);
  console.log(`  ${median(({ visible }) => visible)}  until the message box is visible`);
  console.log(`  ${median(({ idle }) => idle)}  until everything is loaded that it loads while idle`);
  console.log('In that time, the main thread was busy for');
  for (const kind of Object.keys(WORK)) console.log(`  ${median(({ work }) => work[kind] ?? 0)}  ${kind}`);
  console.log('and something was waited for');
  console.log(`  ${median(({ databases }) => databases)}  databases`);
  console.log(`  ${median(({ network }) => network)}  network`);
}

async function bootOnce(context: BrowserContext): Promise<Boot> {
  const page = await context.newPage();
  await page.addInitScript(watchDatabases);
  const trace = await startTrace(await context.newCDPSession(page));
  const startedAt = performance.now();
  await page.goto('/');
  await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
  const visible = performance.now() - startedAt;
  await page.waitForLoadState('networkidle');
  const idle = performance.now() - startedAt;
  return { visible, idle, work: workOf(await trace()), ...(await waitsOf(page)) };
}

/** Runs in the page, before its own scripts: notes when requests to databases begin and end. */
function watchDatabases(): void {
  const waits: [number, number][] = [];
  window.databaseWaits = waits;
  const note = (request: IDBRequest) => {
    const from = performance.now();
    const end = () => waits.push([from, performance.now()]);
    request.addEventListener('success', end);
    request.addEventListener('error', end);
    return request;
  };
  const { open } = IDBFactory.prototype;
  IDBFactory.prototype.open = function (...args) {
    return note(open.apply(this, args)) as IDBOpenDBRequest;
  };
  for (const name of ['get', 'getAll', 'getAllKeys', 'put', 'count'] as const) {
    const original = IDBObjectStore.prototype[name] as (...args: unknown[]) => IDBRequest;
    Object.assign(IDBObjectStore.prototype, {
      [name](this: IDBObjectStore, ...args: unknown[]) {
        return note(original.apply(this, args));
      },
    });
  }
}

/** Measures the time that the page waited for its databases and for the network; overlapping waits count once. */
async function waitsOf(page: Page): Promise<Pick<Boot, 'databases' | 'network'>> {
  const { databases, network } = await page.evaluate(() => ({
    databases: window.databaseWaits ?? [],
    network: performance
      .getEntriesByType('resource')
      .map(({ startTime, duration }): [number, number] => [startTime, startTime + duration]),
  }));
  return { databases: union(databases), network: union(network) };
}

function union(spans: readonly [from: number, to: number][]): number {
  let total = 0;
  let end = 0;
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    total += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return total;
}

async function startTrace(session: CDPSession): Promise<() => Promise<TraceEvent[]>> {
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    events.push(...(value as unknown as TraceEvent[]));
  });
  await session.send('Tracing.start', { categories: 'devtools.timeline,v8', transferMode: 'ReportEvents' });
  return async () => {
    const complete = new Promise<void>((resolve) => {
      session.once('Tracing.tracingComplete', () => resolve());
    });
    await session.send('Tracing.end');
    await complete;
    return events;
  };
}

/**
 * Returns the work of the busiest thread that lays out pages, in milliseconds, by kind; nested work counts for the
 * outermost.
 */
function workOf(events: readonly TraceEvent[]): Record<string, number> {
  const threads = Map.groupBy(events, ({ pid, tid }) => `${pid}:${tid}`);
  const layouts = (all: readonly TraceEvent[]) => all.filter(({ name }) => name === 'UpdateLayoutTree').length;
  const [main = []] = [...threads.values()].toSorted((a, b) => layouts(b) - layouts(a));
  return Object.fromEntries(
    Object.entries(WORK).map(([kind, names]) => {
      const spans = main.flatMap(({ name, ph, ts, dur = 0 }): [number, number][] =>
        ph === 'X' && names.includes(name) ? [[ts / 1000, (ts + dur) / 1000]] : [],
      );
      return [kind, union(spans)];
    }),
  );
}
