import { fisher, type Share, wilson } from '#e2e/lib/scenarios/stats.ts';
import { FAILURES, type Failure } from './failures.ts';
import type { TryRecord } from './records.ts';
import type { Language, TaskSet } from './task.ts';
import { TASKS } from './tasks.ts';

const tasks = new Map(TASKS.map((task) => [task.id, task]));

/** The counts for one arm, with one choice of tools, in one language. */
export interface Row {
  model: string;
  arm: string;
  tools: string;
  language: Language;
  set: TaskSet;
  first: Share;
  conversation: Share;
  /** Questions that need no tool, and in which one was called. */
  needless: Share;
  /** Requests to write a call again that were followed by one that could be read. */
  corrections: Share;
  failures: ReadonlyMap<Failure, number>;
  /** Of the first prompt; the median. */
  tokens: number;
  /** Of a conversation; the median. */
  seconds: number;
}

/** Counts records, grouped by model, arm, tools, language and set of tasks. Unknown tasks are left out. */
export function countRows(records: readonly TryRecord[]): Row[] {
  const groups = Map.groupBy(
    records.filter(({ task }) => tasks.has(task)),
    ({ model, arm, tools, task }) =>
      JSON.stringify([model, arm, tools, tasks.get(task)?.language, tasks.get(task)?.set]),
  );
  return [...groups.values()].map(countRow);
}

function countRow(records: readonly TryRecord[]): Row {
  const [some] = records;
  const task = some && tasks.get(some.task);
  if (some === undefined || task === undefined) throw new Error('There are no records to count.');
  const isNone = ({ task: id }: TryRecord) => tasks.get(id)?.kind === 'none';
  const withTool = records.filter((record) => !isNone(record));
  const without = records.filter(isNone);
  const failures = new Map<Failure, number>();
  for (const { failure } of records) if (failure !== undefined) failures.set(failure, (failures.get(failure) ?? 0) + 1);
  return {
    model: some.model,
    arm: some.arm,
    tools: some.tools,
    language: task.language,
    set: task.set,
    first: shareOf(withTool, ({ played }) => played?.isFirstRight === true),
    conversation: shareOf(withTool, ({ played }) => played?.isAnswered === true),
    needless: shareOf(without, ({ failure }) => failure === 'needless-call'),
    corrections: correctionsOf(records),
    failures,
    tokens: median(records.flatMap(({ played }) => played?.replies[0]?.inputTokens ?? [])),
    seconds:
      median(
        records.flatMap(({ played }) =>
          played === undefined ? [] : played.replies.reduce((sum, { ms }) => sum + ms, 0),
        ),
      ) / 1_000,
  };
}

function correctionsOf(records: readonly TryRecord[]): Share {
  const followed = records.flatMap(({ played }) =>
    (played?.notices ?? []).flatMap((codes, step) =>
      codes.includes('call-unreadable') && played?.replies[step + 1] !== undefined
        ? [played.calls.some((call) => call.step === step + 1)]
        : [],
    ),
  );
  return { right: followed.filter((isRescued) => isRescued).length, total: followed.length };
}

const shareOf = (records: readonly TryRecord[], isRight: (record: TryRecord) => boolean): Share => ({
  right: records.filter(isRight).length,
  total: records.length,
});

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

const HEAD = [
  'Arm',
  'Tools',
  'Language',
  'First call right',
  'Conversation right',
  'Needless calls',
  'Corrections that helped',
  'Tokens',
  'Seconds',
  'Failures',
];

/** The rows as a Markdown table, with intervals at 95 %. */
export function formatTable(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ arm, tools, language, first, conversation, needless, corrections, tokens, seconds, failures }) => [
      arm,
      tools,
      language,
      formatShare(first),
      formatShare(conversation),
      formatShare(needless),
      formatShare(corrections),
      Number.isNaN(tokens) ? '–' : String(tokens),
      Number.isNaN(seconds) ? '–' : seconds.toFixed(0),
      formatFailures(failures),
    ],
  );
  return [HEAD, HEAD.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Compares each row with that of a base arm in the same model, tools, language and set, by Fisher's exact test. */
export function formatComparison(rows: readonly Row[], base: string): string {
  return rows
    .filter(({ arm }) => arm !== base)
    .flatMap((row) => {
      const other = rows.find(
        (one) =>
          one.arm === base &&
          one.model === row.model &&
          one.tools === row.tools &&
          one.language === row.language &&
          one.set === row.set,
      );
      if (other === undefined) return [];
      const compare = (name: string, mine: Share, its: Share) =>
        `${name} ${mine.right}/${mine.total} against ${its.right}/${its.total}, p = ${fisher(mine, its).toPrecision(2)}`;
      const first = compare('first call', row.first, other.first);
      const whole = compare('conversation', row.conversation, other.conversation);
      return [`${row.arm} against ${base}, ${row.tools} tools, ${row.language}: ${first}; ${whole}`];
    })
    .join('\n');
}

/** From this share of tries on, a model that answers with prose in place of a call is reported as such. */
const PROSE_SHARE = 0.5;

/** Returns advice about models that hardly call tools, from the rows; empty if there are none. */
export const formatAdvice = (rows: readonly Row[]): string =>
  rows
    .flatMap(({ arm, tools, language, first, failures }) => {
      const prose = failures.get('prose') ?? 0;
      if (first.total === 0 || prose < PROSE_SHARE * first.total) return [];
      const where = `${arm}, ${tools} tools, ${language}`;
      return [
        `${where}: prose in place of a call in ${prose} of ${first.total} tries. Choose another arm, a larger model, or one that is trained for tools.`,
      ];
    })
    .join('\n');

function formatShare(share: Share): string {
  if (share.total === 0) return '–';
  const [low, high] = wilson(share).map((end) => Math.round(end * 100));
  return `${share.right}/${share.total} (${low}–${high} %)`;
}

const formatFailures = (failures: ReadonlyMap<Failure, number>): string =>
  Object.keys(FAILURES)
    .flatMap((name) => {
      const count = failures.get(name as Failure);
      return count === undefined ? [] : [`${name} ${count}`];
    })
    .join(', ') || '–';
