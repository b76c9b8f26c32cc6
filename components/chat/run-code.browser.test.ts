import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { test } from '#components/preview/test/preview-test.ts';
import { press } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { showAnswer } from '#components/test/show-answer.ts';
import { prompt } from '#e2e/lib/prompt.ts';

const run = () => page.getByRole('button', { name: 'Run', exact: true });
const output = () => page.getByRole('region', { name: 'Output' });

const block = (language: string, ...lines: string[]): string =>
  ['Here:', '', `\`\`\`${language}`, ...lines, '```', '', 'Bye.'].join('\n');

test('JavaScript of an answer runs in the sandbox of the thread, with what it prints and its value', async ({
  studio,
}) => {
  await showAnswer(
    studio,
    block('js', 'console.log("files", (await vfs.list("/")).length);', 'const sum = 40 + 2;', 'sum'),
    {
      '/a.txt': 'a',
    },
  );
  await press(run(), 'Enter');
  await expect.element(output()).toHaveAttribute('data-run', 'done');
  await expect.element(output()).toContainText('files1=>Value42');
  // It is also in the console, where the session goes on.
  await page.getByRole('button', { name: 'Close output' }).click();
  await expect.element(output()).not.toBeInTheDocument();
  const { sandbox } = await studio.studio();
  const { record } = await sandbox.open(studio.threadId);
  expect(record.getEntries().map(({ type }) => type)).toEqual(['code', 'began', 'printed', 'value']);
});

test('TypeScript runs without its types, and a mistake in it is named with its place', async ({ studio }) => {
  const right = block('ts', 'interface P { x: number }', 'const p: P = { x: 7 };', 'console.log(p.x as number)');
  await showAnswer(studio, `${right}\n\n${block('ts', 'let x: number;', 'x = : 1;')}`);
  await run().last().click();
  await expect.element(output()).toContainText('at line 2, column 5');
  await page.getByRole('button', { name: 'Close output' }).click();
  await run().first().click();
  await expect.element(output()).toHaveTextContent('Done.7');
});

test('an error in TypeScript names the line of its source', async ({ studio }) => {
  const lines = ['interface P {', '  y?: { z: number };', '}', '', '// Nothing is set.', 'const p: P = {};', 'p.y!.z;'];
  await showAnswer(studio, block('ts', ...lines));
  await run().click();
  await expect.element(output()).toContainText('at line 7: p.y.z;');
});

test('code without output says so, and one with an error says which', async ({ studio }) => {
  await showAnswer(studio, `${block('js', 'let n = 1;')}\n\n${block('js', 'console.log("before");', 'nothing.here')}`);
  await run().first().click();
  await expect.element(output()).toContainText('Nothing was printed, and there’s no value.');
  await run().last().click();
  await expect.element(output().last()).toHaveAttribute('data-run', 'failed');
  await expect.element(output().last()).toContainText('beforeReferenceError: nothing is not defined');
  expect(output().last().element().textContent).not.toContain('Printed so far');
});

test('code that never ends is stopped, and the page stays usable', async ({ studio }) => {
  await showAnswer(studio, block('js', 'console.log("on");', 'for (;;);'));
  await run().click();
  await expect.element(output()).toHaveAttribute('data-run', 'running');
  await output().getByRole('button', { name: 'Stop' }).click();
  await expect.element(output()).toHaveAttribute('data-run', 'stopped');
  await expect.element(run()).toBeVisible();
});

test('the tooltip of a button that changes meanwhile says what the button does now', async ({ studio }) => {
  await showAnswer(studio, block('js', 'for (;;);'));
  await run().hover();
  const button = run().element();
  if (!(button instanceof HTMLElement)) throw new Error('There is no button.');
  const tooltip = () => document.querySelector('[data-radix-popper-content-wrapper]')?.textContent;
  await expect.poll(tooltip).toMatch(/^(Run)+$/);
  button.click();
  await expect.poll(tooltip).not.toMatch(/Run/);
  await output().getByRole('button', { name: 'Stop' }).click();
  await expect.element(run()).toBeVisible();
});

test('a page of an answer opens in the preview, and the workspace stays as it is', async ({ studio, preview }) => {
  await showAnswer(studio, block('html', '<h1>Of the answer</h1>'), { '/index.html': '<h1>Of the workspace</h1>' });
  await page.getByRole('button', { name: 'Show in preview' }).click();
  await preview.expectText('Of the answer');
  expect([...(await studio.workspace()).keys()]).toEqual(['/index.html']);
  await page.getByRole('button', { name: 'Back to the workspace' }).click();
  await preview.expectText('Of the workspace');
});

test('a component of React is rendered in the preview', async ({ studio, preview }) => {
  await showAnswer(
    studio,
    block(
      'tsx',
      'export default function App() {',
      '  const [n] = useState<number>(3);',
      '  return <b>n is {n}</b>;',
      '}',
    ),
  );
  await page.getByRole('button', { name: 'Show in preview' }).click();
  await preview.expectText('n is 3');
});

test('code in a language that the studio cannot run does not offer it', async ({ studio }) => {
  await showAnswer(studio, block('python', 'print(1)'));
  await expect.element(page.getByRole('button', { name: 'More for this code' })).toBeVisible();
  expect(run().query()).toBeNull();
});

test('code in a list can be run once its answer is complete, and code between other blocks once it is', async ({
  studio,
}) => {
  const question = prompt('Write code');
  const text = `${block('js', '1')}\n\n- In a list:\n\n  \`\`\`js\n  console.log(1`;
  await model.script(question, [{ text: `${text});\n  \`\`\``, hold: { after: text.length, gate: question } }]);
  await studio.open();
  await studio.say(question);
  await expect.element(studio.answers.last()).toContainText('console.log(1');
  await expect.element(run()).toHaveLength(1);
  await model.open(question);
  await studio.settled();
  await expect.element(run()).toHaveLength(2);
  await run().last().click();
  await expect.element(output()).toHaveTextContent('Done.1');
});

test('path rules apply to code of an answer, because a model wrote it', async ({ studio }) => {
  const question = prompt('Read it');
  await model.script(question, [{ text: block('js', 'await vfs.readFile("/.env")') }]);
  const rules = [{ pattern: '.env', effects: ['read' as const], policy: 'deny' as const }];
  await studio.open({ files: { '/.env': 'SECRET' }, settings: { defaultModel: 'scripted', pathRules: rules } });
  await studio.say(question);
  await studio.settled();
  await run().click();
  await expect.element(output()).toHaveAttribute('data-run', 'failed');
  await expect.element(output()).toContainText('a rule of yours protects this path');
  await expect.element(output()).not.toContainText('SECRET');
});
