// The long suites: all of them, or those that are named. `--changed` runs those whose area has changed since they last
// passed, and then the ones that passed longest ago; `--budget <seconds>` begins none that would take longer than what is
// left. A suite that passes on a clean tree is recorded with its commit in e2e/long-suites.json.
import { parseArgs } from 'node:util';
import { git, uncommittedFiles } from './lib/changed-files.ts';
import { chooseSuites } from './long/choose.ts';
import { RECORDS_FILE, readRecords, record } from './long/records.ts';
import { LONG_SUITES, runFiles } from './long/suites.ts';

const { values, positionals } = parseArgs({
  options: { changed: { type: 'boolean' }, budget: { type: 'string' }, files: { type: 'boolean' } },
  allowPositionals: true,
});

if (values.files === true) process.exit(await runFiles(positionals));

const unknown = positionals.filter((name) => !LONG_SUITES.some((suite) => suite.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no long suite ${unknown.map((name) => `“${name}”`).join(', ')}. There are: ${LONG_SUITES.map(({ name }) => `“${name}”`).join(', ')}.\n`,
  );
  process.exit(2);
}
const budget = values.budget === undefined ? Number.POSITIVE_INFINITY : Number(values.budget);
if (Number.isNaN(budget)) {
  process.stderr.write('--budget takes a number of seconds.\n');
  process.exit(2);
}

const records = readRecords();
const dirty = differingFiles();
if (dirty.length > 0)
  process.stdout.write(
    `${dirty.length} files differ from the latest commit, so what passes is not recorded. Commit first to record it.\n`,
  );
const { due, notDue } = chooseSuites(LONG_SUITES, records, {
  names: positionals,
  changedOnly: values.changed === true,
});

const startedAt = performance.now();
const passed: string[] = [];
const skipped: string[] = [];
for (const { suite, why } of due) {
  const known = records.get(suite.name);
  const left = budget - (performance.now() - startedAt) / 1000;
  const lacks = suite.lacks?.(known?.commit);
  if (lacks !== undefined || left <= (known?.seconds ?? 0)) {
    skipped.push(`${suite.name} (${lacks ?? 'no time left for it'})`);
    continue;
  }
  process.stdout.write(`\n== ${suite.name}: ${why}\n`);
  const commit = cleanCommit();
  const suiteStartedAt = performance.now();
  const code = await suite.run(known?.commit);
  const seconds = Math.ceil((performance.now() - suiteStartedAt) / 1000);
  if (code !== 0) {
    process.stderr.write(`The long suite “${suite.name}” failed after ${seconds} s.\n`);
    process.exit(code);
  }
  passed.push(`${suite.name} (${seconds} s)`);
  // Files that were changed in the meantime were not tested, or only in part.
  if (commit !== undefined && commit === cleanCommit()) record(suite.name, { commit, seconds });
}
const line = (title: string, names: readonly string[]) =>
  process.stdout.write(`${title}: ${names.length === 0 ? 'none' : names.join(', ')}\n`);
process.stdout.write('\n');
line('Long suites that passed', passed);
line('Not run', skipped);
if (values.changed === true) line('Not due', notDue);

/** The latest commit, if all files are as in it. */
function cleanCommit(): string | undefined {
  return differingFiles().length === 0 ? git('rev-parse', 'HEAD')[0] : undefined;
}

/** The files that differ from the latest commit, without the record; all of them if there is no repository. */
function differingFiles(): string[] {
  try {
    return uncommittedFiles().filter((file) => file !== RECORDS_FILE);
  } catch {
    return ['.'];
  }
}
