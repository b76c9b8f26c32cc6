import { expect, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import { CODE_LIMITS } from '#components/markdown/limits.ts';
import { downloadOf, keyboard, press } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { showAnswer } from '#components/test/show-answer.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';

const LONG = `const text = ${JSON.stringify('word '.repeat(80))};`;

const more = () => page.getByRole('button', { name: 'More for this code' });
const command = (name: string) => page.getByRole('menuitem', { name, exact: true });

test('code of an answer is saved to the workspace, under a name that is free', async ({ studio }) => {
  await showAnswer(studio, `Here:\n\n\`\`\`js\n${LONG}\n\`\`\``, { '/code.js': 'mine' });
  await more().click();
  await command('Save to workspace…').click();
  const path = page.getByRole('textbox', { name: 'Path' });
  await expect.element(path).toHaveValue('/code-2.js');
  await path.fill('/code.js');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.element(page.getByRole('dialog').getByRole('alert')).toContainText('/code.js');
  await path.fill('/lib/text.js');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await expect.element(studio.editor.locate('.view-lines')).toContainText('const text');
  expect(Object.fromEntries(await studio.workspace())).toEqual({ '/code.js': 'mine', '/lib/text.js': `${LONG}\n` });
});

test('long lines wrap if that is wanted', async ({ studio }) => {
  await showAnswer(studio, `Here:\n\n\`\`\`js\n${LONG}\n\`\`\``);
  /** The width of the code that can only be seen by scrolling, in CSS pixels. */
  const hidden = () => {
    const pre = studio.answers.last().element().querySelector('pre');
    return pre === null ? undefined : pre.scrollWidth - pre.clientWidth;
  };
  await expect.poll(hidden).toBeGreaterThan(0);
  await more().click();
  await command('Wrap lines').click();
  await expect.poll(hidden).toBe(0);
  await more().click();
  await command('Don’t wrap lines').click();
  await expect.poll(hidden).toBeGreaterThan(0);
});

test('code that is too long to wrap does not offer it', async ({ studio }) => {
  await showAnswer(studio, `Here:\n\n\`\`\`js\n${`${LONG}\n`.repeat(CODE_LIMITS.linesAtOnce + 1)}\`\`\``);
  await more().click();
  await expect.element(command('Download')).toBeVisible();
  await expect.element(command('Wrap lines')).not.toBeInTheDocument();
});

test('code without a language has no header, and can be copied and saved', async ({ studio }) => {
  await showAnswer(studio, 'Here:\n\n```\nplain\n```');
  const answer = studio.answers.last();
  await expect
    .poll(() => {
      const header = answer.element().querySelector('[data-unsearched]:has(button)');
      return header && getComputedStyle(header).position;
    })
    .toBe('absolute');
  await expect.element(answer.getByRole('button', { name: 'Copy', exact: true }).first()).toBeVisible();
  await more().click();
  await command('Save to workspace…').click();
  await expect.element(page.getByRole('textbox', { name: 'Path' })).toHaveValue('/code.txt');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await more().click();
  const { blob, name } = await downloadOf(() => command('Download').click());
  expect([name, await blob.text()]).toEqual(['code.txt', 'plain']);
});

test('a table is copied as cells, as CSV, and as Markdown', async ({ studio }) => {
  const rows = Array.from({ length: 60 }, (_, n) => `| ${n},5 | **2** |`);
  const table = ['| a | b |', '| - | - |', ...rows].join('\n');
  await showAnswer(studio, `Here:\n\n${table}\n\nThat is all.`);
  const written: string[] = [];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void written.push(text));
  onTestFinished(() => void vi.restoreAllMocks());
  await page.getByRole('button', { name: 'Copy table' }).click();
  await page.getByRole('button', { name: 'More for this table' }).click();
  await command('Copy as CSV').click();
  await page.getByRole('button', { name: 'More for this table' }).click();
  await command('Copy as Markdown').click();
  await expect.poll(() => written).toHaveLength(3);
  const [cells = '', csv = '', markdown] = written;
  expect([cells.split('\n').length, csv.split('\r\n').length, markdown]).toEqual([61, 61, table]);
  expect([cells.split('\n')[1], csv.split('\r\n')[1]]).toEqual(['0,5\t2', '"0,5",2']);
});

test('the other actions of an answer are in a menu that keys open, and its versions are at the far right', async ({
  studio,
}) => {
  const question = prompt('Twice');
  await model.script(question, [[{ text: 'First.' }, { text: 'Second.' }]]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  const answer = studio.answers.last();
  await answer.getByRole('button', { name: 'Regenerate', exact: true }).click();
  await studio.settled(2);
  const right = (name: string) => answer.getByRole('button', { name }).element().getBoundingClientRect().right;
  await expect
    .poll(() => Math.round(answer.element().getBoundingClientRect().right - right('Next version')), { timeout: 5_000 })
    .toBe(0);
  const trigger = answer.getByRole('button', { name: 'More actions' });
  await press(trigger, 'Enter');
  await expect.element(command('Try again with another model')).toHaveFocus();
  await keyboard.press('Escape');
  await expect.element(trigger).toHaveFocus();
  await press(trigger, 'ArrowDown');
  await keyboard.press('End');
  await keyboard.press('Enter');
  await expect.element(page.getByRole('dialog', { name: 'Prompt sent to the model' })).toBeVisible();
});

test('the menu of an older answer stays visible while it is open', async ({ studio }) => {
  const [first, second] = [prompt('One'), prompt('Two')];
  await model.script(first, [{ text: 'First.' }]);
  await model.script(second, [{ text: 'Second.' }]);
  await studio.open();
  await studio.say(first);
  await studio.settled();
  await studio.say(second);
  await studio.settled(2);
  const answer = studio.answers.first();
  await answer.hover();
  await answer.getByRole('button', { name: 'More actions' }).click();
  await command('View prompt').hover();
  const bar = answer.getByRole('button', { name: 'More actions' }).element().parentElement;
  await expect.poll(() => bar && getComputedStyle(bar).opacity).toBe('1');
});

test('a table that cannot be copied from its menu says so', async ({ studio }) => {
  await showAnswer(studio, '| a | b |\n| - | - |\n| 1 | 2 |');
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('Denied', 'NotAllowedError'));
  vi.spyOn(document, 'execCommand').mockReturnValue(false);
  onTestFinished(() => void vi.restoreAllMocks());
  const status = studio.answers.last().getByRole('status');
  for (const name of ['Copy as CSV', 'Copy as Markdown']) {
    await expect.element(status).toHaveText('');
    await page.getByRole('button', { name: 'More for this table' }).click();
    await command(name).click();
    await expect.element(status).toHaveText('Couldn’t copy');
    await expect.element(status).toBeVisible();
  }
});
