// Everything that a change can break in daily work: types, lint, layers, dead code, the lock file, and all tests but the
// long suites (`npm run test:long`). With parts of file names, only the tests in those files.
import { ensureCommandLineBundle } from './lib/command-line-bundle.ts';
import { missingPrograms } from './lib/requirements.ts';
import { runNode } from './lib/run.ts';
import { TEST_KINDS, testFiles } from './lib/test-kinds.ts';
import { beginSteps, recordStep } from './timings/timings.ts';

const filters = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
if (filters.length > 0) process.exit(await runOnly(filters));

beginSteps();
await step('browser', async () => (await runNode('scripts/ensure-browser.ts', [])).code);
for (const { name, without, install } of missingPrograms())
  process.stdout.write(`${name} is not installed: ${without}. To get it: ${install}\n`);
await step('check', async () => (await runNode('scripts/check.ts', [])).code);
await step('command line', async () => {
  await ensureCommandLineBundle();
  return 0;
});
// Tests with processes wait a lot. The build takes what they leave of the machine.
const build = runNode('scripts/build.ts', [], { output: 'pipe', endsWithParent: true, isInBackground: true });
await stepOf('tests with processes');
await step('build', async () => {
  const { code, output } = await build;
  process.stderr.write(output);
  return code;
});
await stepOf('tests in a page');
await stepOf('browser suites');

async function stepOf(name: string): Promise<void> {
  const kind = TEST_KINDS.find((one) => one.name === name);
  if (kind === undefined) throw new Error(`There are no ${name}.`);
  await step(name, () => kind.run([]));
}

/** Ends the process if the step fails. */
async function step(name: string, run: () => Promise<number>): Promise<void> {
  const startedAt = performance.now();
  const code = await run();
  const ms = performance.now() - startedAt;
  recordStep({ name, ms });
  if (code === 0) return;
  process.stderr.write(`${name}: failed after ${(ms / 1000).toFixed(0)} s\n`);
  process.exit(code);
}

/** Runs the tests in files whose names contain one of these texts, each kind in its own way. */
async function runOnly(texts: readonly string[]): Promise<number> {
  const files = testFiles().filter((file) => texts.some((text) => file.includes(text.replace(/^\.\//, ''))));
  const unknown = texts.filter((text) => !files.some((file) => file.includes(text.replace(/^\.\//, ''))));
  if (unknown.length > 0) {
    process.stderr.write(
      `No file with tests has ${unknown.map((text) => `“${text}”`).join(' or ')} in its name. ` +
        'Name a part of its path, such as lib/tools/files/read-file.test.ts; without one, npm test runs everything.\n',
    );
    return 1;
  }
  for (const kind of TEST_KINDS) {
    const own = files.filter(kind.matches);
    if (own.length === 0) continue;
    process.stdout.write(`${kind.name}: ${own.join(', ')}\n`);
    const code = await kind.run(own);
    if (code !== 0) return code;
  }
  return 0;
}
