// The studio as three processes behind a balancer, with PostgreSQL and Redis: what becomes of conversations while processes are
// killed, and how much later chunks arrive. The sessions are those of the page, in this process, without a browser. The peer
// of the disturbed conversations are the undisturbed ones, whose every word is known; that of the latency is a reader of the
// process that owns the run.
import type { Cable } from '#e2e/lib/cable.ts';
import { delay } from '#lib/base/delay.ts';
import type { AssistantMessage } from '#lib/messages/message.ts';
import { prepareCommit } from './against/other-commit.ts';
import { questionOf, wholeAnswer } from './cluster/conversation.ts';
import { chunkDelays, stopDelays } from './cluster/readers.ts';
import { BenchSession, type Executions, sendRequestsTo } from './cluster/session.ts';
import { startPacedCluster } from './cluster/start.ts';
import { benchArguments, inFull, verdict } from './lib/options.ts';

/** `npm run bench -- cluster 100` measures with so many sessions. */
const SESSIONS = inFull(Number(benchArguments[0] ?? 60), 6);
const PROCESSES = 3;

/** Checks whether a part is to be measured: `npm run bench -- cluster 100 30 kills` measures one. */
const isChosen = (part: 'delays' | 'faults' | 'kills' | 'versions'): boolean => (benchArguments[2] ?? part) === part;

/** `npm run bench -- cluster 100 30 versions <commit>` replaces processes by those of another commit, and back. */
const OTHER_COMMIT = benchArguments[3];

const KILLS = inFull(Number(benchArguments[1] ?? 30), 1);
const KILL_EVERY_MS = inFull(10_000, 5_000);
/** A turn that has grown without such a pause was not interrupted. */
const PAUSE_MS = 1_500;
/** The time for which something is cut off or stopped. */
const CUT_MS = inFull(20_000, 2_000);
/** The time after a fault in which sessions may still notice it. */
const SETTLE_MS = inFull(15_000, 3_000);

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

const { cluster, cables, isClockOff, stop } = await startPacedCluster(PROCESSES);
sendRequestsTo(cluster.url);

async function benchDelays(): Promise<void> {
  const rounds = inFull(20, 1);
  const delays = { owner: [] as number[], elsewhere: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const measured = await chunkDelays(cluster, questionOf(round, 0, true));
    delays.owner.push(...measured.owner);
    delays.elsewhere.push(...measured.elsewhere);
  }
  const [owner, elsewhere] = [percentile(delays.owner, 0.95), percentile(delays.elsewhere, 0.95)];
  console.log(`A chunk from the model to a reader, one run at a time, ${delays.owner.length} chunks, p95`);
  console.log(`  reader at the process that owns the run  ${owner.toFixed(1)} ms`);
  console.log(
    `  reader at another process                ${elsewhere.toFixed(1)} ms${verdict('limit 75 ms more', elsewhere - owner <= 75)}`,
  );
  const stops = await stopDelays(cluster, inFull(30, 1));
  const stopped = percentile(stops, 0.95);
  console.log(
    `A stop that another process gets, until the run has ended, ${stops.length} times, p95  ${stopped.toFixed(0)} ms${verdict('limit 500 ms', stopped <= 500)}`,
  );
}

/** The events that sessions must survive, with how long each takes, in milliseconds. */
const FAULTS: readonly { name: string; happen(): Promise<void> }[] = [
  { name: 'Redis restarted empty', happen: () => cluster.redis.restart() },
  { name: 'PostgreSQL crashed and restarted', happen: () => cluster.postgres.restart() },
  { name: `Redis cut off for ${seconds(CUT_MS)}`, happen: () => cut(cables.redis) },
  { name: `PostgreSQL cut off for ${seconds(CUT_MS)}`, happen: () => cut(cables.postgres) },
  {
    name: `a process stopped for ${seconds(CUT_MS)}`,
    async happen() {
      cluster.members[0]?.signal('SIGSTOP');
      await delay(CUT_MS);
      cluster.members[0]?.signal('SIGCONT');
    },
  },
  {
    name: 'all processes replaced one after the other',
    happen: () => replaceAll(),
  },
];

/** Replaces all processes one after the other. `root`: the folder of another checkout of the studio to start instead. */
async function replaceAll(root?: string): Promise<void> {
  for (const member of cluster.members) {
    await member.stop('SIGTERM');
    await member.start(root);
  }
}

async function cut(cable: Cable): Promise<void> {
  cable.pull();
  await delay(CUT_MS);
  cable.plugIn();
}

async function benchFaults(): Promise<void> {
  for (const { name, happen } of FAULTS) {
    const result = await talkWhile(async () => {
      await happen();
      await delay(SETTLE_MS);
    });
    report(`${SESSIONS} sessions, ${name}`, result);
  }
}

async function benchVersions(name: string): Promise<void> {
  const other = prepareCommit(name, { isBuilt: true });
  const result = await talkWhile(async () => {
    await replaceAll(other.folder);
    await delay(SETTLE_MS);
    await replaceAll();
    await delay(SETTLE_MS);
  });
  report(`${SESSIONS} sessions, all processes replaced by those of ${other.commit.slice(0, 8)}, and back`, result);
}

async function benchKills(): Promise<void> {
  const result = await talkWhile(async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      const began = performance.now();
      const member = cluster.members[kill % PROCESSES];
      await member?.stop('SIGKILL');
      await member?.start();
      await delay(Math.max(0, KILL_EVERY_MS - (performance.now() - began)));
    }
  });
  report(`${SESSIONS} sessions, ${KILLS} processes killed, one each ${seconds(KILL_EVERY_MS)}`, result, 15_000);
}

interface Talk {
  turns: number;
  repeated: number;
  problems: string[];
  calls: number;
  twice: number;
  pauses: number[];
}

/** Lets all sessions talk until the disturbance is over, and a turn longer. */
async function talkWhile(disturb: () => Promise<void>): Promise<Talk> {
  const executions: Executions = new Map();
  const talk: Talk = { turns: 0, repeated: 0, problems: [], calls: 0, twice: 0, pauses: [] };
  let isOver = false;
  const takePart = async (number: number): Promise<void> => {
    // Not all at the same moment, as people do.
    await delay((number * 3_000) / SESSIONS);
    const session = await BenchSession.open(executions);
    for (let turn = 0; !isOver; turn++) {
      const question = questionOf(number, turn);
      let grownAt = performance.now();
      const answer = await session.ask(question, () => {
        const now = performance.now();
        if (now - grownAt > PAUSE_MS) talk.pauses.push(now - grownAt);
        grownAt = now;
      });
      if (performance.now() - grownAt > PAUSE_MS) talk.pauses.push(performance.now() - grownAt);
      talk.turns += 1;
      talk.repeated += repetitionsIn(answer);
      const problem = problemIn(answer, question);
      if (problem !== undefined) talk.problems.push(`${question}: ${problem}`);
    }
    await session.close();
  };
  const all = Promise.all(Array.from({ length: SESSIONS }, (_, number) => takePart(number)));
  await delay(5_000);
  await disturb();
  isOver = true;
  await all;
  const counts = [...executions.values()];
  return { ...talk, calls: counts.length, twice: counts.filter((times) => times > 1).length };
}

/** `pauseMaxMs`: the limit for 95 % of the pauses; any if absent. */
function report(title: string, { turns, repeated, problems, calls, twice, pauses }: Talk, pauseMaxMs?: number): void {
  const p95 = percentile(pauses, 0.95);
  console.log(title);
  console.log(`  turns  ${turns}, of which ${repeated} steps were repeated`);
  console.log(
    `  turns that failed, or differ from undisturbed ones  ${problems.length}${verdict('limit 0', problems.length === 0)}`,
  );
  for (const problem of problems.slice(0, 10)) console.log(`    ${problem}`);
  console.log(`  calls  ${calls}, of which ran more than once  ${twice}${verdict('limit 0', twice === 0)}`);
  console.log(
    `  pauses over ${seconds(PAUSE_MS)}  ${pauses.length}, p95 ${seconds(p95)}, longest ${seconds(Math.max(0, ...pauses))}${pauseMaxMs === undefined ? '' : verdict(`limit ${seconds(pauseMaxMs)}`, p95 <= pauseMaxMs)}`,
  );
}

function repetitionsIn({ parts }: AssistantMessage): number {
  return parts
    .flatMap((part) => (part.type === 'step' ? part.notices : []))
    .reduce((sum, notice) => sum + (notice.code === 'step-repeated' ? notice.times : 0), 0);
}

/** The difference between a turn and the one that a conversation without disturbance has; undefined if there is none. */
function problemIn({ status, parts }: AssistantMessage, question: string): string | undefined {
  if (status.type !== 'done') return JSON.stringify(status);
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  if (text !== wholeAnswer(question)) return `another answer: ${text.slice(0, 100)}…`;
  const calls = parts.filter((part) => part.type === 'tool-call');
  return calls.every(({ result }) => result?.type === 'tool-result') ? undefined : 'a call without an output';
}

try {
  console.log(`${PROCESSES} processes${isClockOff ? ', one of them with its clock an hour off' : ''}`);
  if (isChosen('delays')) await benchDelays();
  if (isChosen('faults')) await benchFaults();
  if (isChosen('kills')) await benchKills();
  if (isChosen('versions') && OTHER_COMMIT !== undefined) await benchVersions(OTHER_COMMIT);
} finally {
  await stop();
}
