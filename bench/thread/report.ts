import { median } from '../lib/median.ts';
import { verdict } from '../lib/options.ts';
import type { Visit } from './visit.ts';

export type ArmName = 'studio' | 'plain';

/** The visits of all rounds to threads of one kind. */
export interface Subject {
  name: string;
  /** Whether it differs from the base only in its number of rows. */
  isLonger: boolean;
  visits: Readonly<Record<ArmName, readonly Visit[]>>;
}

/** A limit for the studio's figure of a thread; `base` is the figure of the shortest thread. */
interface Limit {
  text: string;
  /** The threads that it applies to, by name; all if absent. */
  of?: readonly string[];
  isMet: (own: number, base: number) => boolean;
}

interface Measure {
  label: string;
  read(visit: Visit): number;
  format?(value: number): string;
  /** Smaller figures count as this one in ratios: they were not measured, or are nothing to compare. */
  floor?: number;
  limits?: readonly Limit[];
}

/** The browser reports only tasks of this length. */
const LONG_TASK_MS = 50;
const MEGABYTE = 1_000_000;

const atMost = (limit: number, unit = ''): Limit => ({
  text: `${limit.toLocaleString('en')}${unit} at most`,
  isMet: (own) => own <= limit,
});
const atMostTimes = (limit: number, of: string): Limit => ({
  text: `${limit} times the shortest at most`,
  of: [of],
  isMet: (own, base) => own <= limit * base,
});

const longest = (value: number): string => (value === 0 ? `<${LONG_TASK_MS}` : value.toFixed(0));

export const MEASURES: readonly Measure[] = [
  {
    label: 'opening: until the last row is painted, ms',
    read: ({ load }) => load,
    limits: [atMostTimes(1.25, '300 rows'), atMostTimes(1.4, '1,000 rows')],
  },
  {
    label: 'opening: longest task, ms',
    read: ({ opening }) => opening.longest,
    format: longest,
    floor: LONG_TASK_MS,
    limits: [atMost(200, ' ms')],
  },
  { label: 'opening: tasks over 50 ms', read: ({ opening }) => opening.count, floor: 1 },
  { label: 'elements', read: ({ elements }) => elements },
  { label: 'elements outside the last message', read: ({ outside }) => outside, limits: [atMost(5_000)] },
  {
    label: 'heap, MB',
    read: ({ heapBytes }) => heapBytes / MEGABYTE,
    format: (value) => value.toFixed(1),
    limits: [
      {
        text: '10 MB more than the shortest at most',
        of: ['300 rows', '1,000 rows', '200 calls'],
        isMet: (own, base) => own <= base + 10,
      },
    ],
  },
  { label: 'sending: longest task, ms', read: ({ sending }) => sending.longest, format: longest, floor: LONG_TASK_MS },
  {
    label: 'streaming: longest task, ms',
    read: ({ streaming }) => streaming.longest,
    format: longest,
    floor: LONG_TASK_MS,
    limits: [atMostTimes(1.3, '300 rows')],
  },
  {
    label: 'streaming: tasks over 50 ms',
    read: ({ streaming }) => streaming.count,
    floor: 1,
    limits: [{ ...atMost(0), of: ['300 rows'] }],
  },
  {
    label: 'streaming: key to paint, median, ms',
    read: ({ keys }) => median(keys),
    format: (value) => value.toFixed(1),
  },
  {
    label: 'streaming: key to paint, p95, ms',
    read: ({ keys }) => percentile(keys, 0.95),
    format: (value) => value.toFixed(1),
    limits: [atMostTimes(1.3, '300 rows')],
  },
  {
    label: 'scrolling: longest task, ms',
    read: ({ scrolling }) => scrolling.longest,
    format: longest,
    floor: LONG_TASK_MS,
  },
  {
    label: 'scrolling: most blank frames in a row',
    read: ({ blankFrames }) => blankFrames,
    floor: 1,
    limits: [atMost(2)],
  },
];

/** The value that this share of the values does not exceed. */
export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN;

const WIDTHS = { name: 12, figure: 9, ratio: 12 };

/** One line per thread: both arms, the studio against the plain list, and the studio against its shortest thread. */
export function linesOf(measure: Measure, subjects: readonly Subject[]): string[] {
  const {
    label,
    read,
    format = (value) => value.toLocaleString('en', { maximumFractionDigits: 0 }),
    floor = 0,
  } = measure;
  const figure = ({ visits }: Subject, arm: ArmName) => median(visits[arm].map(read));
  const [shortest] = subjects;
  const base = shortest === undefined ? Number.NaN : figure(shortest, 'studio');
  const lines = subjects.map((subject) => {
    const [own, plain] = [figure(subject, 'studio'), figure(subject, 'plain')];
    const against = (other: number) => `${(Math.max(own, floor) / Math.max(other, floor)).toFixed(2)}×`;
    const kept = (measure.limits ?? []).filter(({ of }) => of === undefined || of.includes(subject.name));
    return [
      `  ${subject.name}`.padEnd(WIDTHS.name),
      format(own).padStart(WIDTHS.figure),
      format(plain).padStart(WIDTHS.figure),
      against(plain).padStart(WIDTHS.ratio),
      (subject.isLonger ? against(base) : '').padStart(WIDTHS.ratio),
      ...kept.map(({ text, isMet }) => verdict(text, isMet(own, Math.max(base, floor)))),
    ].join('');
  });
  return [label, ...lines];
}

/** The names of the columns. */
export const HEADER = [
  ''.padEnd(WIDTHS.name),
  'studio'.padStart(WIDTHS.figure),
  'plain'.padStart(WIDTHS.figure),
  '÷ plain'.padStart(WIDTHS.ratio),
  '÷ shortest'.padStart(WIDTHS.ratio),
].join('');
