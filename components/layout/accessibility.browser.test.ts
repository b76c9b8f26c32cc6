import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { loadEditor } from '#components/editor/test/load-editor.ts';
import { keyboard, mouse, resizeWindow } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { evalCall, prompt, readCall, writeCall } from '#e2e/lib/prompt.ts';
import { expectAccessible } from './test/accessible.ts';

loadEditor();

test('the empty thread is accessible', async ({ studio }) => {
  await studio.open();
  await expectAccessible();
});

test('a conversation with calls in every state is accessible', async ({ studio }) => {
  const [first, second] = [prompt('Show everything'), prompt('Ask me')];
  await model.script(first, [
    {
      reasoning: 'Let me think.',
      text: '# Heading\n\nA [link](https://example.com), `code`, and\n\n```ts\nconst a: number = 1; // comment\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
      calls: writeCall('/a.ts', 'export const a = 1; // comment\n'),
    },
    { calls: [...readCall('/a.ts'), ...readCall('/none'), { name: 'nope', arguments: '{}' }] },
    { calls: [...readCall('/a.ts'), ...readCall('/a.ts'), ...readCall('/a.ts')] },
    [{ status: 500, message: 'Server on fire' }],
  ]);
  await model.script(second, [{ calls: evalCall('1 + 1 // a comment') }]);
  await studio.open();
  await studio.say(first);
  await studio.settled();
  const folded = page.locate('[role="group"] > div > button[aria-expanded="false"]:not([aria-haspopup])');
  while (folded.elements().length > 0) await folded.first().click();
  await page.getByRole('button', { name: /Read 3 files/ }).click();
  await studio.say(second);
  await expect.element(studio.allow).toBeVisible();
  await expect.element(page.locate('.code-token').first()).toBeInTheDocument();
  await mouse.move(0, 0);
  await expectAccessible();
});

test('the editor, the dialogs and the palette are accessible', async ({ studio }) => {
  await studio.open({ files: { '/src/a.tsx': '// a comment\nexport const a = "text" + 1;\n' } });
  await studio.openFile('a.tsx', 'export const a');
  await expectAccessible();
  await studio.openSettings('General');
  for (const tab of await page.getByRole('dialog').getByRole('tab').all()) {
    await tab.click();
    await expectAccessible();
  }
  await page.getByRole('tab', { name: 'Permissions' }).click();
  await page.getByRole('textbox', { name: 'Pattern for a new rule' }).fill('.env*');
  await page.getByRole('button', { name: 'Add rule' }).click();
  await expect.element(page.getByRole('listitem', { name: 'Rule for .env*' })).toBeVisible();
  await expectAccessible();
  await keyboard.press('Escape');
  await keyboard.press('Control+k');
  await expect.element(page.getByRole('dialog')).toBeVisible();
  await expectAccessible();
});

test('a review, a note, and what an answer has changed are accessible', async ({ studio }) => {
  const question = prompt('Change it');
  await model.script(question, [
    { calls: readCall('/a.ts') },
    { calls: writeCall('/a.ts', 'export const a = 2;\n') },
    { text: 'Done.' },
  ]);
  await studio.open({ files: { '/a.ts': 'export const a = 1;\n' } });
  await studio.toggleTool('Review changes before they’re written');
  await studio.say(question);
  await page.getByRole('button', { name: 'Deny with a note…' }).click();
  await expectAccessible();
  await page.getByRole('button', { name: 'Review changes…' }).click();
  const review = page.getByRole('region', { name: 'Review: /a.ts' });
  await expect.element(review.locate('.view-lines').last()).toContainText('a = 2');
  await expectAccessible();
  await review.getByRole('button', { name: 'Write these changes' }).click();
  await studio.settled();
  await page.getByRole('group', { name: 'Changes in this answer' }).getByRole('button', { name: 'Review' }).click();
  await expectAccessible();
});

test('a narrow screen is accessible', async ({ studio }) => {
  await resizeWindow(390, 800);
  await studio.open({ files: { '/a.txt': 'alpha' } });
  await expectAccessible();
  for (const pane of ['Threads', 'Files', 'Editor']) {
    await page.getByRole('tab', { name: pane }).click();
    await expectAccessible();
  }
});

test('both sides of a review keep their names when they get more room, and less', async ({ studio }) => {
  const question = prompt('Change it');
  await model.script(question, [{ calls: readCall('/a.ts') }, { calls: writeCall('/a.ts', 'export const a = 2;\n') }]);
  await studio.open({ files: { '/a.ts': 'export const a = 1;\n' } });
  await studio.toggleTool('Review changes before they’re written');
  await studio.say(question);
  await page.getByRole('button', { name: 'Review changes…' }).click();
  const review = page.getByRole('region', { name: 'Review: /a.ts' });
  const columns = review.locate('.monaco-diff-editor.side-by-side');
  for (const width of [2_800, 1_440]) {
    await resizeWindow(width, 900);
    await expect.element(columns).toHaveLength(width === 1_440 ? 0 : 1);
    await expect.element(review.getByRole('textbox', { name: 'Text of /a.ts before the changes' })).toBeInTheDocument();
    await expect
      .element(review.getByRole('textbox', { name: 'Proposed text of /a.ts, which you can edit' }))
      .toBeInTheDocument();
  }
});
