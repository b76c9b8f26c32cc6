import type { Locator, Page } from '@playwright/test';
import { expect, test } from './lib/fixtures.ts';
import { prompt } from './lib/prompt.ts';
import type { StudioPage } from './lib/studio-page.ts';

/** Sent in large pieces: how often a chunk arrives is not what these tests are about. */
const PIECE = 20_000;

/** Of code, in pixels. */
const LINE_HEIGHT = 20;

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

const elementsIn = (locator: Locator): Promise<number> =>
  locator.evaluate((element) => element.querySelectorAll('*').length);

/** The page answers: what is typed arrives in the message box. */
async function expectAnswering(studio: StudioPage): Promise<void> {
  await studio.message.fill('');
  await studio.message.pressSequentially('still here');
  await expect(studio.message).toHaveValue('still here');
}

/** What is copied by the button in a block of code. */
async function copied(page: Page, block: Locator): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await block.getByRole('button', { name: 'Copy' }).first().click();
  return page.evaluate(() => navigator.clipboard.readText());
}

test('a fence of 5,000 lines renders those in view, in color, and is copied whole', async ({ studio, bench, page }) => {
  const code = lines(5_000, (index) => `export const value${index} = ${index};`);
  const question = prompt('Long code');
  bench.model.script(question, [{ text: `Here:\n\n\`\`\`ts\n${code}\n\`\`\`\n\nThe end.`, piece: PIECE }]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  const answer = studio.answers.last();
  const box = answer.locator('pre');
  await expect(answer.getByText('The end.')).toBeVisible();
  await expect(box.locator('.code-token').first()).toBeVisible();
  await expect(box).toContainText('value0 =');
  expect(await elementsIn(box)).toBeLessThan(2_000);
  await box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(box).toContainText('value4999 =');
  await expect(box.locator('.code-token', { hasText: 'value4999' })).toBeVisible();
  await expect(box).not.toContainText('value0 =');
  expect(await elementsIn(box)).toBeLessThan(2_000);
  expect(await copied(page, answer)).toBe(code);
  await expectAnswering(studio);
});

test('colors arrive line by line while code is written, without changing its text or height', async ({
  studio,
  bench,
}) => {
  const question = prompt('Code in pieces');
  const shown = lines(20, (index) => `const a${index} = "text";`);
  const text = `\`\`\`js\n${shown}\n`;
  bench.model.script(question, [
    { text: `${text}const last = 1;\n\`\`\`\n`, piece: text.length, hold: { after: text.length, gate: question } },
  ]);
  await studio.open();
  await studio.say(question);
  const box = studio.answers.last().locator('pre');
  await expect(box.locator('.code-token', { hasText: 'a19' })).toBeVisible();
  expect((await box.textContent())?.trimEnd()).toBe(shown);
  const height = (lineCount: number) =>
    box.evaluate((element, text) => {
      const { paddingTop, paddingBottom } = getComputedStyle(element);
      return element.scrollHeight - Math.round(Number.parseFloat(paddingTop) + Number.parseFloat(paddingBottom)) - text;
    }, lineCount * LINE_HEIGHT);
  expect(Math.abs(await height(20))).toBeLessThan(2);
  bench.model.open(question);
  await expect(box.locator('.code-token', { hasText: 'last' })).toBeVisible();
  await studio.settled();
  expect(Math.abs(await height(21))).toBeLessThan(2);
  expect((await box.textContent())?.trimEnd()).toBe(`${shown}\nconst last = 1;`);
});

test('if the worker cannot be loaded, code stays plain', async ({ studio, bench, page }) => {
  const question = prompt('Plain code');
  bench.model.script(question, [{ text: '```js\nconst a = 1;\n```\n\nDone.' }]);
  await page.addInitScript(() => {
    const { Worker: Real } = window;
    window.Worker = class extends Real {
      constructor(url: string | URL, options?: WorkerOptions) {
        if (options?.name === 'highlighter') throw new Error('No worker today.');
        super(url, options);
      }
    };
  });
  await studio.open();
  await studio.say(question);
  await studio.settled();
  const answer = studio.answers.last();
  await expect(answer.getByText('Done.')).toBeVisible();
  await expect(answer.locator('pre')).toHaveText('const a = 1;');
  await expect(answer.locator('.code-token')).toHaveCount(0);
});

test('a table of 1,000 rows shows its beginning while it grows, and all rows when asked', async ({ studio, bench }) => {
  const question = prompt('Long table');
  const rows = lines(1_000, (index) => `| row ${index} | *text* |`);
  bench.model.script(question, [{ text: `| Name | Text |\n|---|---|\n${rows}\n\nThe end.`, piece: 500 }]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  const answer = studio.answers.last();
  await expect(answer.getByText('The end.')).toBeVisible();
  await expect(answer.getByRole('cell', { name: 'row 0', exact: true })).toBeVisible();
  expect(await answer.getByRole('row').count()).toBeLessThan(150);
  await expectAnswering(studio);
  await answer.getByRole('button', { name: 'Show all 1,000 rows' }).click();
  await expect(answer.locator('tbody tr')).toHaveCount(1_000);
  await expect(answer.locator('thead')).toHaveCount(1);
  await expect(answer.getByRole('cell', { name: 'row 999', exact: true })).toBeVisible();
  await expect(answer.getByRole('button', { name: /^Show all/ })).toHaveCount(0);
  await expectAnswering(studio);
});

test('a list of 10,000 items shows its beginning, and all items when asked', async ({ studio, bench }) => {
  const question = prompt('Long list');
  const items = lines(10_000, (index) => `${index + 1}. item ${index}`);
  bench.model.script(question, [{ text: `${items}\n\nThe end.`, piece: PIECE }]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  const answer = studio.answers.last();
  await expect(answer.getByText('The end.')).toBeVisible();
  expect(await answer.getByRole('listitem').count()).toBeLessThan(300);
  await answer.getByRole('button', { name: 'Show all 10,000 items' }).click();
  await expectAnswering(studio);
  await expect(answer.locator('ol > li')).toHaveCount(10_000, { timeout: 30_000 });
  await expect(answer.locator('ol')).toHaveCount(1);
  await expectAnswering(studio);
});

test('a fence that never closes takes nothing else along', async ({ studio, bench }) => {
  const question = prompt('Open fence');
  const code = lines(3_000, (index) => `# line ${index}`);
  bench.model.script(question, [{ text: `Before.\n\n\`\`\`py\n${code}`, piece: PIECE }]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  const answer = studio.answers.last();
  await expect(answer.getByText('Before.')).toBeVisible();
  await expect(answer.locator('pre')).toHaveCount(1);
  await expect(answer.locator('pre')).toContainText('# line 0');
  expect(await elementsIn(answer)).toBeLessThan(1_000);
  await expectAnswering(studio);
});

test('an answer of 2 MB renders its beginning, its end, and what is scrolled to', async ({ studio, bench }) => {
  test.slow();
  const question = prompt('Long answer');
  const text = lines(30_000, (index) => `Paragraph *${index}* ${'of a very long answer '.repeat(2)}\n`);
  expect(text.length).toBeGreaterThan(1_900_000);
  bench.model.script(question, [{ text, piece: 50_000 }]);
  await studio.open();
  await studio.say(question);
  await studio.settled(1, { timeout: 90_000 });
  const answer = studio.answers.last();
  await expect(answer.locator('em', { hasText: /^29999$/ })).toBeAttached();
  // 60,000 elements if all were rendered.
  expect(await elementsIn(answer)).toBeLessThan(8_000);
  const unrendered = answer.getByText(/^Paragraph \*\d+\* /).first();
  const number = /\d+/.exec((await unrendered.textContent()) ?? '')?.[0];
  await unrendered.evaluate((element) => element.scrollIntoView());
  await expect(answer.locator('em', { hasText: new RegExp(`^${number}$`) })).toBeVisible();
  expect(await elementsIn(answer)).toBeLessThan(8_000);
  await expectAnswering(studio);
});

test('a paragraph that is too long is plain text, of which all can be shown', async ({ studio, bench }) => {
  const question = prompt('Long paragraph');
  bench.model.script(question, [{ text: `${'*word* '.repeat(60_000)}end\n\nAfter **it**.`, piece: PIECE }]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  const answer = studio.answers.last();
  await expect(answer.locator('strong', { hasText: 'it' })).toBeVisible();
  await expect(answer.locator('em')).toHaveCount(0);
  await answer.getByRole('button', { name: /^Show all 420,00\d characters$/ }).click();
  await expect(answer.getByText('*word* end')).toBeVisible();
  await expectAnswering(studio);
});

// As long as a reply may be; a unit test has one of 5 MB.
test('a data URL of 2 MB is left out', async ({ studio, bench }) => {
  test.slow();
  const question = prompt('Data URL');
  bench.model.script(question, [
    { text: `An ![image](data:image/png;base64,${'A'.repeat(1_990_000)}) and **more**.`, piece: 100_000 },
  ]);
  await studio.open();
  await studio.say(question);
  await studio.settled(1, { timeout: 90_000 });
  const answer = studio.answers.last();
  await expect(answer.locator('strong', { hasText: 'more' })).toBeVisible();
  await expect(answer.locator('.markdown')).toHaveText('An image and more.');
  await expectAnswering(studio);
});

test('nesting without end and marks without meaning are shown as they are', async ({ studio, bench }) => {
  const question = prompt('Nesting');
  const text = [`${'>'.repeat(10_000)} deep`, '['.repeat(10_000), `${'- '.repeat(10_000)}item`, 'And *this*.'].join(
    '\n\n',
  );
  bench.model.script(question, [{ text, piece: PIECE }]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  const answer = studio.answers.last();
  await expect(answer.locator('em', { hasText: 'this' })).toBeVisible();
  await expect(answer.locator('blockquote')).toHaveCount(0);
  await expectAnswering(studio);
});

test('a block that cannot be rendered is shown as it was written, and the others are rendered', async ({
  studio,
  bench,
  page,
}) => {
  const question = prompt('Broken block');
  bench.model.script(question, [{ text: 'Before **it**.\n\n```explode\nboom\n```\n\nAfter *it*.' }]);
  studio.expectedProblems.push('No such language today.');
  await page.addInitScript(() => {
    const { toLowerCase } = String.prototype;
    String.prototype.toLowerCase = function lower(this: string) {
      if (String(this) === 'explode') throw new Error('No such language today.');
      return toLowerCase.call(this);
    };
  });
  await studio.open();
  await studio.say(question);
  await studio.settled();
  const answer = studio.answers.last();
  await expect(answer.locator('strong', { hasText: 'it' })).toBeVisible();
  await expect(answer.locator('em', { hasText: 'it' })).toBeVisible();
  await expect(answer.getByText('```explode')).toBeVisible();
  await expect(answer.getByText('boom')).toBeVisible();
});
