import { expect, onTestFinished } from 'vitest';
import type { Locator } from 'vitest/browser';
import { toLatest, wheel } from '#components/chat/test/conversation.ts';
import { copiedBy, keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import type { StudioPage } from '#components/test/studio-page.tsx';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';

/** The characters per chunk of an answer. Large, because these tests are not about how often chunks arrive. */
const PIECE = 20_000;

/** The height of a line of code, in CSS pixels. */
const LINE_HEIGHT = 20;

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

const elementsIn = async (locator: Locator): Promise<number> =>
  (await locator.findElement()).querySelectorAll('*').length;

/** Expects that the page is responsive: typed text arrives in the message box. */
async function expectAnswering(studio: StudioPage): Promise<void> {
  await studio.message.fill('');
  await keyboard.type('still here');
  await expect.element(studio.message).toHaveValue('still here');
}

test('a fence of 5,000 lines renders those in view, in color, and is copied whole', async ({ studio }) => {
  const code = lines(5_000, (index) => `export const value${index} = ${index};`);
  const question = prompt('Long code');
  await model.script(question, [{ text: `Here:\n\n\`\`\`ts\n${code}\n\`\`\`\n\nThe end.`, piece: PIECE }]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  const answer = studio.answers.last();
  const box = answer.locate('pre');
  await expect.element(answer.getByText('The end.')).toBeVisible();
  await expect.element(box.locate('.code-token').first()).toBeVisible();
  await expect.element(box).toContainText('value0 =');
  expect(await elementsIn(box)).toBeLessThan(2_000);
  const scroller = await box.findElement();
  scroller.scrollTo(0, scroller.scrollHeight);
  await expect.element(box).toContainText('value4999 =');
  await expect.element(box.locate('.code-token').filter({ hasText: 'value4999' })).toBeVisible();
  await expect.element(box).not.toContainText('value0 =');
  expect(await elementsIn(box)).toBeLessThan(2_000);
  expect(await copiedBy(() => answer.getByRole('button', { name: 'Copy' }).first().click())).toBe(code);
  await expectAnswering(studio);
});

test('colors arrive line by line while code is written, without changing its text or height', async ({ studio }) => {
  const question = prompt('Code in pieces');
  const shown = lines(20, (index) => `const a${index} = "text";`);
  const text = `\`\`\`js\n${shown}\n`;
  await model.script(question, [
    { text: `${text}const last = 1;\n\`\`\`\n`, piece: text.length, hold: { after: text.length, gate: question } },
  ]);
  await studio.open();
  await studio.say(question);
  const box = studio.answers.last().locate('pre');
  const codeNow = async () => (await box.findElement()).textContent.trimEnd();
  await expect.element(box.locate('.code-token').filter({ hasText: 'a19' })).toBeVisible();
  expect(await codeNow()).toBe(shown);
  const heightBesides = async (lineCount: number) => {
    const element = await box.findElement();
    const { paddingTop, paddingBottom } = getComputedStyle(element);
    const padding = Math.round(Number.parseFloat(paddingTop) + Number.parseFloat(paddingBottom));
    return element.scrollHeight - padding - lineCount * LINE_HEIGHT;
  };
  expect(Math.abs(await heightBesides(20))).toBeLessThan(2);
  await model.open(question);
  await expect.element(box.locate('.code-token').filter({ hasText: 'last' })).toBeVisible();
  await studio.settled();
  expect(Math.abs(await heightBesides(21))).toBeLessThan(2);
  expect(await codeNow()).toBe(`${shown}\nconst last = 1;`);
});

test('a table of 1,000 rows shows its beginning while it grows, and all rows when asked', async ({ studio }) => {
  const question = prompt('Long table');
  const rows = lines(1_000, (index) => `| row ${index} | *text* |`);
  await model.script(question, [{ text: `| Name | Text |\n|---|---|\n${rows}\n\nThe end.`, piece: 500 }]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  const answer = studio.answers.last();
  await expect.element(answer.getByText('The end.')).toBeVisible();
  await expect.element(answer.getByRole('cell', { name: 'row 0', exact: true })).toBeVisible();
  expect(answer.getByRole('row').length).toBeLessThan(150);
  await expectAnswering(studio);
  await answer.getByRole('button', { name: 'Show all 1,000 rows' }).click();
  await expect.element(answer.locate('tbody tr')).toHaveLength(1_000);
  await expect.element(answer.locate('thead')).toHaveLength(1);
  await expect.element(answer.getByRole('cell', { name: 'row 999', exact: true })).toBeVisible();
  await expect.element(answer.getByRole('button', { name: /^Show all/ })).not.toBeInTheDocument();
  await expectAnswering(studio);
});

test('a fence that never closes takes nothing else along', async ({ studio }) => {
  const question = prompt('Open fence');
  const code = lines(3_000, (index) => `# line ${index}`);
  await model.script(question, [{ text: `Before.\n\n\`\`\`py\n${code}`, piece: PIECE }]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  const answer = studio.answers.last();
  await expect.element(answer.getByText('Before.')).toBeVisible();
  await expect.element(answer.locate('pre')).toHaveLength(1);
  await expect.element(answer.locate('pre')).toContainText('# line 0');
  expect(await elementsIn(answer)).toBeLessThan(1_000);
  await expectAnswering(studio);
});

test('an answer of 2 MB renders its beginning, its end, and what is scrolled to', { timeout: 120_000 }, async ({
  studio,
}) => {
  const question = prompt('Long answer');
  const text = lines(30_000, (index) => `Paragraph *${index}* ${'of a very long answer '.repeat(2)}\n`);
  expect(text.length).toBeGreaterThan(1_900_000);
  await model.script(question, [{ text, piece: 50_000 }]);
  await studio.open();
  await studio.say(question);
  await studio.settled(1, { timeout: 90_000 });
  const answer = studio.answers.last();
  await expect.element(answer.locate('em').filter({ hasText: /^29999$/ })).toBeInTheDocument();
  // 60,000 elements if all were rendered.
  expect(await elementsIn(answer)).toBeLessThan(8_000);
  // Otherwise the end would be kept in view.
  await wheel(-1_000);
  await expect.element(toLatest).toBeVisible();
  const unrendered = await answer
    .getByText(/^Paragraph \*\d+\* /)
    .first()
    .findElement();
  const number = /\d+/.exec(unrendered.textContent)?.[0];
  unrendered.scrollIntoView();
  await expect.element(answer.locate('em').filter({ hasText: new RegExp(`^${number}$`) })).toBeVisible();
  expect(await elementsIn(answer)).toBeLessThan(8_000);
  await expectAnswering(studio);
});

test('a paragraph that is too long is plain text, of which all can be shown', async ({ studio }) => {
  const question = prompt('Long paragraph');
  await model.script(question, [{ text: `${'*word* '.repeat(60_000)}end\n\nAfter **it**.`, piece: PIECE }]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  const answer = studio.answers.last();
  await expect.element(answer.locate('strong').filter({ hasText: 'it' })).toBeVisible();
  await expect.element(answer.locate('em')).not.toBeInTheDocument();
  await answer.getByRole('button', { name: /^Show all 420,00\d characters$/ }).click();
  await expect.element(answer.getByText('*word* end')).toBeVisible();
  await expectAnswering(studio);
});

// As long as a reply may be; a unit test has one of 20 MB.
test('a data URL of 2 MB is left out', { timeout: 120_000 }, async ({ studio }) => {
  const question = prompt('Data URL');
  await model.script(question, [
    { text: `An ![image](data:image/png;base64,${'A'.repeat(1_990_000)}) and **more**.`, piece: 100_000 },
  ]);
  await studio.open();
  await studio.say(question);
  await studio.settled(1, { timeout: 90_000 });
  const answer = studio.answers.last();
  await expect.element(answer.locate('strong').filter({ hasText: 'more' })).toBeVisible();
  await expect.element(answer.locate('.markdown')).toHaveText('An image and more.');
  await expectAnswering(studio);
});

test('nesting without end and marks without meaning are shown as they are', async ({ studio }) => {
  const question = prompt('Nesting');
  const text = [`${'>'.repeat(10_000)} deep`, '['.repeat(10_000), `${'- '.repeat(10_000)}item`, 'And *this*.'].join(
    '\n\n',
  );
  await model.script(question, [{ text, piece: PIECE }]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  const answer = studio.answers.last();
  await expect.element(answer.locate('em').filter({ hasText: 'this' })).toBeVisible();
  await expect.element(answer.locate('blockquote')).not.toBeInTheDocument();
  await expectAnswering(studio);
});

test('a block that cannot be rendered is shown as it was written, and the others are rendered', async ({ studio }) => {
  const question = prompt('Broken block');
  await model.script(question, [{ text: 'Before **it**.\n\n```explode\nboom\n```\n\nAfter *it*.' }]);
  studio.expectedProblems.push('No such language today.');
  const { toLowerCase } = String.prototype;
  onTestFinished(() => {
    String.prototype.toLowerCase = toLowerCase;
  });
  String.prototype.toLowerCase = function lower(this: string) {
    if (String(this) === 'explode') throw new Error('No such language today.');
    return toLowerCase.call(this);
  };
  await studio.open();
  await studio.say(question);
  await studio.settled();
  const answer = studio.answers.last();
  await expect.element(answer.locate('strong').filter({ hasText: 'it' })).toBeVisible();
  await expect.element(answer.locate('em').filter({ hasText: 'it' })).toBeVisible();
  await expect.element(answer.getByText('```explode')).toBeVisible();
  await expect.element(answer.getByText('boom')).toBeVisible();
});
