import type { Locator, Page } from '@playwright/test';
import type { TestBench } from './lib/bench.ts';
import { expect, test } from './lib/fixtures.ts';
import { prompt, writeCall } from './lib/prompt.ts';
import type { StudioPage } from './lib/studio-page.ts';

const call = (name: string, input: object) => ({ name, arguments: JSON.stringify(input) });

/** Twenty lines, of which the model changes the second, the tenth, and the last one. */
const line = (n: number) => `const value${n} = ${n};\n`;
const BEFORE = Array.from({ length: 20 }, (_, n) => line(n + 1)).join('');
const changed = (...lines: number[]) =>
  lines.reduce((text, n) => text.replace(line(n), `const changed${n} = ${n * 100};\n`), BEFORE);
const AFTER = changed(2, 10, 20);

const PATH = '/src/values.ts';
const EDITS = [2, 10, 20].map((n) => ({ find: line(n), replace: `const changed${n} = ${n * 100};\n` }));
const edit = [call('multi_edit', { path: PATH, edits: EDITS })];

const review = (page: Page): Locator => page.getByRole('region', { name: `Review: ${PATH}` });

/** Asks for a change, with reviews turned on, and opens its review. */
async function ask(studio: StudioPage, bench: TestBench, page: Page): Promise<string> {
  const question = prompt('Change the values');
  bench.model.script(question, [{ calls: edit }, { text: 'All right.' }]);
  await studio.open({ files: { [PATH]: BEFORE } });
  await studio.toggleTool('Review changes before they are written');
  await studio.say(question);
  const card = studio.call('multi_edit');
  await expect(card.getByText('const changed10 = 1000;')).toBeVisible();
  await expect(card.getByText('3 unchanged lines')).toBeVisible();
  await card.getByRole('button', { name: 'Review changes…' }).click();
  await expect(review(page)).toBeVisible();
  await expect(review(page).getByRole('list', { name: 'Changes' }).getByRole('listitem')).toHaveCount(3);
  return question;
}

/** Types at the top of a file in the editor, and goes back to the tab that was shown. */
async function typeAtTop(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole('treeitem', { name }).click();
  const editor = page.getByRole('textbox', { name: new RegExp(name) });
  await editor.focus();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.insertText(text);
}

const fileText = async (studio: StudioPage) => (await studio.workspace()).get(PATH);

const resultOf = (bench: TestBench, question: string) =>
  bench.model
    .requestsFor(question)
    .at(-1)
    ?.messages.findLast(({ role }) => role === 'tool')?.content;

test('changes are rejected, edited, and kept before they are written, and the model is told', async ({
  studio,
  bench,
  page,
}) => {
  const question = await ask(studio, bench, page);
  // The keys of the review work at once.
  await expect(review(page).locator('.monaco-editor.focused').first()).toBeVisible();
  await page.keyboard.press('Alt+F5');
  await expect(page.getByRole('button', { name: /^Change 2 of 3/ })).toHaveAttribute('aria-current', 'true');
  await page.getByRole('button', { name: 'Reject change 2' }).click();
  await expect(page.getByRole('button', { name: 'Keep change 2' })).toBeVisible();
  await page.getByRole('button', { name: /^Change 1 of 3/ }).click();
  const text = review(page).getByRole('textbox', { name: `Proposed text of ${PATH}, which you can edit` });
  await text.focus();
  await page.keyboard.press('End');
  await page.keyboard.type(' // mine');
  await expect(page.getByRole('button', { name: /^Change 1 of 3/ })).toContainText('edited');
  expect(await fileText(studio), 'nothing is written before the answer').toBe(BEFORE);
  await review(page).getByRole('textbox', { name: 'Note for the model (optional)' }).fill('Keep value10.');
  await review(page).getByRole('button', { name: 'Write these changes' }).click();
  await studio.settled();
  expect(await fileText(studio)).toBe(changed(2, 20).replace('changed2 = 200;', 'changed2 = 200; // mine'));
  const result = resultOf(bench, question);
  expect(result).toContain('Change 1, at line 2, was edited. There is now: "const changed2 = 200; // mine\\n"');
  expect(result).toContain('Change 2, at line 10, was rejected');
  expect(result).toContain('Keep value10.');
  // What was written is one change of the call, which can be undone.
  const turn = page.getByRole('group', { name: 'Changes of this answer' });
  await expect(turn).toContainText('1 file changed');
  await expect(turn).toContainText('+2 −2');
  await turn.getByRole('button', { name: 'Undo' }).click();
  await expect(turn).toContainText('Undone');
  expect(await fileText(studio)).toBe(BEFORE);
  await turn.getByRole('button', { name: 'Redo' }).click();
  await expect(turn).not.toContainText('Undone');
  expect(await fileText(studio)).not.toBe(BEFORE);
  await turn.getByRole('button', { name: 'Undo' }).click();
  await expect(turn).toContainText('Undone');
  expect(await fileText(studio)).toBe(BEFORE);
});

test('a review survives a reload', async ({ studio, bench, page }) => {
  await ask(studio, bench, page);
  await page.getByRole('button', { name: 'Reject change 3' }).click();
  await page.reload();
  await studio.call('multi_edit').getByRole('button', { name: 'Continue review…' }).click();
  await expect(page.getByRole('button', { name: 'Keep change 3' })).toBeVisible();
  await review(page).getByRole('button', { name: 'Write these changes' }).click();
  await studio.settled();
  expect(await fileText(studio)).toBe(changed(2, 10));
});

test('a review can be finished in another tab', async ({ studio, bench, page, context }) => {
  await ask(studio, bench, page);
  await page.getByRole('button', { name: 'Reject change 1' }).click();
  const other = await context.newPage();
  await other.goto(page.url());
  await other
    .getByRole('group', { name: 'Tool call: multi_edit', exact: true })
    .getByRole('button', { name: 'Continue review…' })
    .click();
  await expect(other.getByRole('button', { name: 'Keep change 1' })).toBeVisible();
  await review(other).getByRole('button', { name: 'Write these changes' }).click();
  await expect(other.getByText('All right.')).toBeVisible();
  expect(await fileText(studio)).toBe(changed(10, 20));
});

test('the file changes during its review: decisions are kept, and the change is, too', async ({
  studio,
  bench,
  page,
}) => {
  await ask(studio, bench, page);
  await page.getByRole('button', { name: 'Reject change 2' }).click();
  await typeAtTop(page, 'values.ts', '// first\n');
  await page
    .getByRole('navigation', { name: 'Open files' })
    .getByRole('button', { name: /review/ })
    .first()
    .click();
  await expect(review(page).getByText('The file changed during your review. Your decisions were kept.')).toBeVisible();
  await review(page).getByRole('button', { name: 'Write these changes' }).click();
  await studio.settled();
  expect(await fileText(studio)).toBe(`// first\n${changed(2, 20)}`);
});

test('unchanged lines stay folded when another tab changes the file', async ({ studio, bench, page, context }) => {
  await ask(studio, bench, page);
  const folded = review(page)
    .locator('.modified')
    .getByText(/hidden lines/)
    .first();
  await expect(folded).toBeVisible();
  const other = await context.newPage();
  await other.goto(page.url());
  await typeAtTop(other, 'values.ts', '// first\n');
  await other.keyboard.press('ControlOrMeta+s');
  await expect(review(page).getByText('The file changed during your review.')).toBeVisible();
  await expect(review(page).getByText('// first').first()).toBeVisible();
  await expect(folded).toBeVisible();
});

test('rejecting everything denies the call', async ({ studio, bench, page }) => {
  const question = await ask(studio, bench, page);
  await review(page).getByRole('button', { name: 'Reject all' }).click();
  await review(page).getByRole('button', { name: 'Write these changes' }).click();
  await studio.settled();
  expect(await fileText(studio)).toBe(BEFORE);
  expect(resultOf(bench, question)).toContain('The user rejected all changes.');
  await expect(studio.call('multi_edit')).toHaveAttribute('data-state', 'denied');
});

test('without a review, changes are shown afterwards, and can be undone', async ({ studio, bench, page }) => {
  const question = prompt('Write and change');
  bench.model.script(question, [{ calls: [...writeCall('/new.txt', 'new\n'), ...edit] }, { text: 'Done.' }]);
  await studio.open({ files: { [PATH]: BEFORE } });
  await studio.say(question);
  await studio.settled();
  await expect(studio.call('multi_edit')).toContainText('+3 −3');
  const turn = page.getByRole('group', { name: 'Changes of this answer' });
  await expect(turn).toContainText('2 files changed');
  await expect(turn).toContainText('+4 −3');
  await turn.getByRole('button', { name: 'Review' }).click();
  await expect(turn.getByText('const changed10 = 1000;')).toBeVisible();
  await typeAtTop(page, 'new.txt', 'mine\n');
  await turn.getByRole('button', { name: 'Undo' }).click();
  await expect(turn.getByRole('alert')).toContainText('/new.txt');
  expect(await fileText(studio), 'nothing was undone').toBe(AFTER);
});
