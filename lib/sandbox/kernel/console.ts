import type { ConsoleLine, RenderedValue } from '#lib/tools/capabilities/rendered-value.ts';
import { CONSOLE_MAX_CHARS, CONSOLE_MAX_LINES, ITEMS_MAX, PAGE_CONSOLE_MS, TEXT_MAX_CHARS } from './limits.ts';
import { boundMap, exec, ignore, matches, now, slice, stringify, toFixed, toText } from './primordials.ts';
import { render } from './render.ts';
import { send } from './send.ts';
import { state } from './state.ts';

const HAS_FORMAT = /%[sdifoOc%]/;
const FORMATS = /%[sdifoOc%]/g;

/** The part of a value that is shown when the console is nearly full, in characters. */
const NEARLY_FULL_CHARS = 1_000;

let lines = 0;
let characters = 0;
let roomUntil = 0;

/** Forgets how much was printed, so that the console has room for as much output as one evaluation may print. */
export function emptyConsole(): void {
  lines = 0;
  characters = 0;
}

/**
 * Counts a line of the console, and checks whether it may still be sent: whether `CONSOLE_MAX_LINES` and `CONSOLE_MAX_CHARS`
 * are not exceeded. Sends a notice in place of the first line that may not. A page gets room again every `PAGE_CONSOLE_MS`.
 */
export function takeConsoleRoom(): boolean {
  const time = state.isPage ? now() : 0;
  if (time > roomUntil) {
    emptyConsole();
    roomUntil = time + PAGE_CONSOLE_MS;
  }
  if (lines > CONSOLE_MAX_LINES) return false;
  lines++;
  if (lines <= CONSOLE_MAX_LINES && characters < CONSOLE_MAX_CHARS) return true;
  lines = CONSOLE_MAX_LINES + 1;
  const values: RenderedValue[] = [{ type: 'text', text: '[more output was dropped]' }];
  send({ type: 'console', run: state.run, level: 'warn', values });
  return false;
}

/**
 * Sends values as a line of the console, unless the console is full. A format string such as `%s: %d` is filled in with the
 * values after it.
 */
export function print(level: ConsoleLine['level'], given: readonly unknown[]): void {
  if (!takeConsoleRoom()) return;
  const values = formatted(given);
  const shown: RenderedValue[] = [];
  for (let index = 0; index < values.length && index < ITEMS_MAX; index++) {
    const isNearlyFull = CONSOLE_MAX_CHARS - characters < TEXT_MAX_CHARS;
    const tree = render(values[index], isNearlyFull ? NEARLY_FULL_CHARS : TEXT_MAX_CHARS);
    characters += stringify(tree).length;
    shown[index] = tree;
  }
  send({ type: 'console', run: state.run, level, values: shown });
}

/**
 * Fills in a format string such as `%s: %d`, if the first value is one, with the texts and numbers after it. All other values
 * remain separate.
 */
function formatted(values: readonly unknown[]): readonly unknown[] {
  const first = values[0];
  if (typeof first !== 'string' || !matches(HAS_FORMAT, first)) return values;
  let next = 1;
  let text = '';
  let from = 0;
  FORMATS.lastIndex = 0;
  for (let found = exec(FORMATS, first); found !== null; found = exec(FORMATS, first)) {
    const value = values[next];
    const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
    text += slice(first, from, found.index);
    from = FORMATS.lastIndex;
    if (found[0] === '%%') text += '%';
    else if (next >= values.length || (!isText && found[0] !== '%c')) text += found[0];
    else {
      if (found[0] !== '%c') text += toText(value);
      next++;
    }
  }
  const all: unknown[] = [text + slice(first, from)];
  for (; next < values.length; next++) all[all.length] = values[next];
  return all;
}

function prepended(first: string, values: readonly unknown[]): unknown[] {
  const all: unknown[] = [first];
  for (let index = 0; index < values.length; index++) all[index + 1] = values[index];
  return all;
}

const counts = boundMap<string, number>();
const timers = boundMap<string, number>();

const methods: Record<string, (...values: unknown[]) => void> = {
  log: (...values) => print('log', values),
  info: (...values) => print('info', values),
  warn: (...values) => print('warn', values),
  error: (...values) => print('error', values),
  debug: (...values) => print('debug', values),
  table: (...values) => print('log', values),
  dir: (value) => print('log', [value]),
  trace: (...values) => print('log', prepended('Trace:', values)),
  group: (...values) => print('log', values),
  groupCollapsed: (...values) => print('log', values),
  groupEnd: ignore,
  assert: (condition, ...values) => {
    if (!condition) print('error', prepended('Assertion failed:', values));
  },
  count: (label = 'default') => {
    const count = (counts.get(toText(label)) ?? 0) + 1;
    counts.set(toText(label), count);
    print('log', [`${toText(label)}: ${count}`]);
  },
  time: (label = 'default') => {
    timers.set(toText(label), now());
  },
  timeEnd: (label = 'default') => {
    const start = timers.get(toText(label));
    timers.delete(toText(label));
    if (start !== undefined) print('log', [`${toText(label)}: ${toFixed(now() - start, 2)} ms`]);
  },
};

/**
 * Replaces the methods of `console`, so that the output of code is sent to the studio and not to the browser's own console.
 */
export function redirectConsole(): void {
  Object.assign(console, methods);
}
