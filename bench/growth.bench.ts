// Whether the memory of processes grows while people talk for long: each answer is written by one process, read at another one,
// and acknowledged, as browsers do. The peer is the same process earlier.
import { delay } from '#lib/base/delay.ts';
import { streamQuestion } from './cluster/conversation.ts';
import { startMemoryCluster } from './cluster/memory.ts';
import { post } from './cluster/readers.ts';
import { chatRequestOf } from './cluster/requests.ts';
import { startPacedModel } from './cluster/start.ts';
import { median } from './lib/median.ts';
import { benchArguments, inFull, verdict } from './lib/options.ts';

/** `npm run bench -- growth 20` measures for 20 minutes. */
const TIME_MS = inFull(Number(benchArguments[0] ?? 60) * 60_000, 6_000);
const PEOPLE = inFull(10, 2);
const MEASURE_EVERY_MS = inFull(60_000, 1_000);
const GROWTH_MAX = 1.05;

const model = await startPacedModel();
const question = streamQuestion(inFull(60, 10));
try {
  const { cluster, owner, other, usedBy } = await startMemoryCluster(model);
  try {
    const endsAt = Date.now() + TIME_MS;
    let answers = 0;
    const talk = async (person: number): Promise<void> => {
      const [here, there] = person % 2 === 0 ? [owner, other] : [other, owner];
      while (Date.now() < endsAt) {
        const request = chatRequestOf(question);
        const posted = await post(`${here.url}/api/chat`, request);
        const thread = `${there.url}/api/chat/${request.threadId}`;
        await Promise.all([posted.text(), fetch(`${thread}?run=${request.runId}&from=0`).then((read) => read.text())]);
        const acknowledged = await post(thread, { type: 'acknowledge', runId: request.runId });
        if (!acknowledged.ok) throw new Error(`${acknowledged.status}: ${await acknowledged.text()}`);
        answers += 1;
      }
    };
    const measure = async (): Promise<number[]> => {
      const values: number[] = [];
      while (Date.now() < endsAt - MEASURE_EVERY_MS) {
        await delay(MEASURE_EVERY_MS);
        values.push(await usedBy(owner));
      }
      return values;
    };
    const [values] = await Promise.all([measure(), ...Array.from({ length: PEOPLE }, (_, person) => talk(person))]);
    const third = Math.ceil(values.length / 3);
    const [early, late] = [values.slice(third, 2 * third), values.slice(-third)].map(median) as [number, number];
    const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
    console.log(
      `${answers} answers in ${(TIME_MS / 60_000).toFixed(0)} minutes, by two processes for ${PEOPLE} people`,
    );
    console.log(`  memory of a process, each minute: ${values.map(megabytes).join(', ')}`);
    console.log(
      `  last third ${megabytes(late)}, second third ${megabytes(early)}: ${(late / early).toFixed(2)} times${verdict(`limit ${GROWTH_MAX}`, late / early <= GROWTH_MAX)}`,
    );
  } finally {
    await cluster.stop();
  }
} finally {
  model.stop();
}
