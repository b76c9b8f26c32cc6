// Measures how a real model uses the studio's tools, in each way of giving it the tools.
// npm run bench -- models --url http://127.0.0.1:8080/v1 --model <name>; without arguments, it says what else there is.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ScriptedModelServer } from '#e2e/lib/model-server.ts';
import { codecOf } from '#lib/prompts/codecs/codecs.ts';
import { chosenTasks, readOptions, UsageError } from './models/options.ts';
import { readRecords } from './models/records.ts';
import { playAll, rereadAll } from './models/run.ts';
import { countRows, formatAdvice, formatComparison, formatTable } from './models/table.ts';
import { TASKS } from './models/tasks.ts';

const isShort = process.argv.includes('--short');

try {
  if (isShort) await showThatItRuns();
  else await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

async function main(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  let records = readRecords(options.output);
  if (options.reread) records = await rereadAll(records, options, report);
  else if (!options.report && !(await playAll(options, report))) process.exitCode = 1;
  else records = readRecords(options.output);
  const rows = countRows(records.filter(({ model }) => model === options.model));
  for (const set of new Set(rows.map((row) => row.set))) {
    const ofSet = rows.filter((row) => row.set === set);
    process.stdout.write(`\n${options.model}, ${set} tasks\n\n${formatTable(ofSet)}\n`);
    const [base] = ofSet;
    if (base !== undefined) process.stdout.write(`\n${formatComparison(ofSet, base.arm)}\n`);
    const advice = formatAdvice(ofSet);
    if (advice !== '') process.stdout.write(`\n${advice}\n`);
  }
}

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Plays tasks with a scripted model in place of a real one, natively and prompted. It answers only what it can read. */
async function showThatItRuns(): Promise<void> {
  const server = await ScriptedModelServer.start();
  const output = join('test-results', 'models', `short-${process.pid}.jsonl`);
  try {
    const options = readOptions([
      ...['--url', server.url, '--model', 'scripted', '--language', 'en', '--kind', 'read', '--kind', 'none'],
      ...['--arm', 'native', '--arm', 'json', '--tries', '1', '--output', output],
    ]);
    for (const { kind, ask, files } of chosenTasks(options, 'few')) {
      const [path = ''] = Object.keys(files);
      const call = { name: 'read_file', arguments: JSON.stringify({ path }) };
      const toolCallId = 'call_1';
      const prompted = codecOf('json').formatToolCalls([
        { toolCallId, toolName: call.name, inputText: call.arguments },
      ]);
      server.script(
        ask,
        kind === 'none'
          ? [{ text: 'I do not know.' }]
          : [{ calls: [call], prompted }, { text: `It says: ${files[path]}` }],
      );
    }
    if (!(await playAll(options, report))) throw new Error('The scripted model could not be reached.');
    const records = readRecords(output);
    const failed = records.filter(({ task, failure }) => failure !== (isNone(task) ? 'wrong-answer' : undefined));
    if (records.length === 0 || failed.length > 0) throw new Error(`It went wrong: ${JSON.stringify(failed[0])}`);
    const again = await rereadAll(records, options, () => undefined);
    if (again.some(({ failure }, index) => failure !== records[index]?.failure))
      throw new Error('Reading the replies again went wrong.');
    process.stdout.write(`${formatTable(countRows(records))}\n`);
  } finally {
    await server.stop();
    rmSync(output, { force: true });
  }
}

function isNone(id: string): boolean {
  return TASKS.some((task) => task.id === id && task.kind === 'none');
}
