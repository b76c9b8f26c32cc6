import { expect } from 'vitest';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { shortenLimit } from '#components/test/timers.ts';
import { prompt } from '#e2e/lib/prompt.ts';
import { resultContent } from '#lib/tools/core/tool-call.ts';
import { SEARCH_TIMEOUT_MS } from '#lib/workspace/workspace-runner.ts';

/** A tool call as a model server streams it. */
const call = (name: string, input: object) => [{ name, arguments: JSON.stringify(input) }];

test('the model finds, reads in parts, edits and patches files, and searches its changes', async ({ studio }) => {
  const question = prompt('Rename the function everywhere');
  await model.script(question, [
    { calls: call('search_text', { pattern: 'old(Name|_name)', contextLines: 1 }) },
    { calls: call('edit_file', { path: '/src/a.ts', find: 'oldName', replace: 'newName' }) },
    {
      calls: call('apply_patch', {
        patch:
          '*** Begin Patch\n*** Update File: src/b.ts\n*** Move to: src/c.ts\n@@\n' +
          '-export { oldName };\n+export { newName };\n*** End Patch',
      }),
    },
    { calls: call('grep', { pattern: 'newName' }) },
    { calls: call('glob', { pattern: '**/*.ts' }) },
    { text: 'Renamed.' },
  ]);
  await studio.open({
    files: {
      '/.gitignore': 'build/\n',
      '/build/a.js': 'oldName();\n',
      '/src/a.ts': '// head\nexport function oldName() {}\n',
      '/src/b.ts': 'export { oldName };\n',
    },
  });
  await studio.say(question);
  await studio.settled(1);
  const results = (await studio.turns())[0]?.parts.flatMap((part) =>
    part.type === 'tool-call' && part.result?.type === 'tool-result' ? [resultContent(part.result)] : [],
  );
  expect(results).toEqual([
    '/src/a.ts-1- // head\n/src/a.ts:2: export function oldName() {}\n--\n/src/b.ts:1: export { oldName };',
    'Success: 1 replacement in /src/a.ts, same number of lines.',
    'Success: /src/c.ts moved from /src/b.ts.',
    '/src/a.ts:2: export function newName() {}\n/src/c.ts:1: export { newName };',
    '/src/a.ts\n/src/c.ts',
  ]);
  expect((await studio.workspace()).get('/src/c.ts')).toBe('export { newName };\n');
});

test('a shell command works on the files that the user sees, and on nothing else', async ({ studio }) => {
  const question = prompt('Make an overview');
  await model.script(question, [
    {
      calls: call('execute_bash', { command: 'wc -l src/*.ts > overview.txt; cat overview.txt; ls / ; curl http://x' }),
    },
    { text: 'Done.' },
  ]);
  await studio.open({ files: { '/src/a.ts': 'a\nb\n', '/src/b.ts': 'c\n' } });
  await studio.say(question);
  await studio.allow.click();
  await studio.settled();
  await expect.element(studio.call('execute_bash')).toContainText('Exit code 127');
  const overview = '  2 src/a.ts\n  1 src/b.ts\n  3 total\n';
  expect((await studio.workspace()).get('/overview.txt')).toBe(overview);
  await expect.element(studio.files.getByRole('treeitem', { name: 'overview.txt' })).toBeVisible();
  const [part] = (await studio.turns())[0]?.parts.filter(({ type }) => type === 'tool-call') ?? [];
  expect(JSON.stringify(part)).toContain('command not found');
});

test('an endless command is ended and its work is kept; one that deletes everything is refused', async ({ studio }) => {
  const question = prompt('Loop');
  await model.script(question, [
    { calls: call('execute_bash', { command: 'echo begun > begun.txt; while true; do :; done', timeout: 2 }) },
    { calls: call('execute_bash', { command: 'rm -rf /*' }) },
    { calls: call('execute_bash', { command: 'ls' }) },
    { text: 'Done.' },
  ]);
  await studio.open({ files: { '/keep/f.txt': 'kept' } });
  await studio.say(question);
  await studio.settled(1, { whenAsked: 'allow' });
  const results = (await studio.turns())[0]?.parts.flatMap((part) => (part.type === 'tool-call' ? [part.result] : []));
  expect(results).toMatchObject([
    { type: 'tool-error', code: 'timed-out', message: expect.stringContaining('stopped after 2 seconds') },
    { type: 'tool-error', code: 'failed', message: expect.stringContaining('deleted the whole workspace') },
    { type: 'tool-result', output: { content: 'begun.txt\nkeep' } },
  ]);
  expect(await studio.workspace()).toEqual(
    new Map([
      ['/keep/f.txt', 'kept'],
      ['/begun.txt', 'begun\n'],
    ]),
  );
});

test('Stop ends a command at once', async ({ studio }) => {
  const question = prompt('Sleep');
  await model.script(question, [{ calls: call('execute_bash', { command: 'sleep 100' }) }, { text: 'Slept.' }]);
  await studio.open();
  await studio.say(question);
  await studio.allow.click();
  await expect.element(studio.call('execute_bash')).toContainText('running');
  await studio.stop.click();
  await expect.element(studio.call('execute_bash')).toContainText('stopped');
  await studio.settled();
});

test('an endless pattern is ended, the page stays alive, and the next search works', async ({ studio }) => {
  shortenLimit(SEARCH_TIMEOUT_MS, 3_000);
  const question = prompt('Search');
  await model.script(question, [
    { calls: call('search_text', { pattern: '(a+)+$' }) },
    { calls: call('search_text', { pattern: 'a+' }) },
    { text: 'Found.' },
  ]);
  await studio.open({ files: { '/f': `${'a'.repeat(60)}!` } });
  await studio.say(question);
  await expect.element(studio.call('search_text')).toContainText('running');
  await studio.message.fill('still alive');
  await expect.element(studio.message).toHaveValue('still alive');
  await studio.settled(1);
  const results = (await studio.turns())[0]?.parts.flatMap((part) => (part.type === 'tool-call' ? [part.result] : []));
  expect(results).toMatchObject([
    { type: 'tool-error', code: 'timed-out', message: expect.stringContaining('The pattern probably never finishes') },
    { type: 'tool-result', output: { content: expect.stringContaining('/f:1: aaa') } },
  ]);
});
