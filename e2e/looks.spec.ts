import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { DefectiveServer } from '#server/models/doctor/test/defective-server.ts';
import { expect, test } from './lib/fixtures.ts';
import { evalCall, prompt, readCall, writeCall } from './lib/prompt.ts';
import { faithfulSummary } from './lib/scripted-model.ts';
import { storedThread, userMessage } from './lib/stored-threads.ts';

async function expectAccessible(page: Page): Promise<void> {
  // What is fading in or out has hardly any contrast.
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  expect(
    violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`,
    ),
  ).toEqual([]);
}

for (const theme of ['light', 'dark'] as const) {
  test.describe(theme, () => {
    test.use({ colorScheme: theme });

    test('the empty thread is accessible', async ({ studio, page }) => {
      await studio.open();
      await expectAccessible(page);
    });

    test('a conversation with calls in every state is accessible', async ({ studio, bench, page }) => {
      const [first, second] = [prompt('Show everything'), prompt('Ask me')];
      bench.model.script(first, [
        {
          reasoning: 'Let me think.',
          text: '# Heading\n\nA [link](https://example.com), `code`, and\n\n```ts\nconst a: number = 1; // comment\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
          calls: writeCall('/a.ts', 'export const a = 1; // comment\n'),
        },
        { calls: [...readCall('/a.ts'), ...readCall('/none'), { name: 'nope', arguments: '{}' }] },
        { calls: [...readCall('/a.ts'), ...readCall('/a.ts'), ...readCall('/a.ts')] },
        [{ status: 500, message: 'Server on fire' }],
      ]);
      bench.model.script(second, [{ calls: evalCall('1 + 1 // a comment') }]);
      await studio.open();
      await studio.say(first);
      await studio.settled();
      const folded = page.locator('[role="group"] > div > button[aria-expanded="false"]:not([aria-haspopup])');
      while ((await folded.count()) > 0) await folded.first().click();
      await page.getByRole('button', { name: /Read 3 files/ }).click();
      await studio.say(second);
      await expect(studio.allow).toBeVisible();
      await expect(page.locator('.code-token').first()).toBeAttached();
      await page.mouse.move(0, 0);
      await expectAccessible(page);
    });

    test('the editor, the dialogs and the palette are accessible', async ({ studio, page }) => {
      await studio.open({ files: { '/src/a.tsx': '// a comment\nexport const a = "text" + 1;\n' } });
      await studio.files.getByRole('treeitem', { name: 'a.tsx' }).click();
      await expect(studio.editor.locator('.view-lines')).toContainText('export const a', { timeout: 20_000 });
      await expectAccessible(page);
      await studio.openSettings('General');
      for (const tab of await page.getByRole('dialog').getByRole('tab').all()) {
        await tab.click();
        await expectAccessible(page);
      }
      await page.getByRole('tab', { name: 'Permissions' }).click();
      await page.getByRole('textbox', { name: 'Pattern of a new rule' }).fill('.env*');
      await page.getByRole('button', { name: 'Add rule' }).click();
      await expect(page.getByRole('listitem', { name: 'Rule for .env*' })).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectAccessible(page);
    });

    test('what completes and surrounds a message is accessible', async ({ studio, page }) => {
      await studio.open({ files: { '/src/a.tsx': 'export const a = 1;' } });
      await studio.openTools();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await expect(studio.files.getByRole('treeitem', { name: 'a.tsx' })).toBeVisible();
      for (const text of ['@a', '/']) {
        await studio.message.fill(text);
        await expect(page.getByRole('listbox')).toBeVisible();
        await expectAccessible(page);
      }
      await studio.message.fill('');
      await page.getByRole('button', { name: 'Attach files' }).hover();
      await expect(page.getByText('Attach files')).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press('Control+b');
      await expect(page.getByRole('button', { name: 'Show threads' })).toBeVisible();
      await expectAccessible(page);
    });

    test('a review, a note, and what an answer has changed are accessible', async ({ studio, bench, page }) => {
      const question = prompt('Change it');
      bench.model.script(question, [
        { calls: readCall('/a.ts') },
        { calls: writeCall('/a.ts', 'export const a = 2;\n') },
        { text: 'Done.' },
      ]);
      await studio.open({ files: { '/a.ts': 'export const a = 1;\n' } });
      await studio.toggleTool('Review changes before they are written');
      await studio.say(question);
      await page.getByRole('button', { name: 'Deny with a note…' }).click();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Review changes…' }).click();
      const review = page.getByRole('region', { name: 'Review: /a.ts' });
      await expect(review.locator('.view-lines').last()).toContainText('a = 2', { timeout: 20_000 });
      await expectAccessible(page);
      await review.getByRole('button', { name: 'Write these changes' }).click();
      await studio.settled();
      await page.getByRole('group', { name: 'Changes of this answer' }).getByRole('button', { name: 'Review' }).click();
      await expectAccessible(page);
    });

    test('a list of threads with folders, and a selection, is accessible', async ({ studio, page }) => {
      const threads = ['a', 'b', 'c'].map((id) => storedThread(id, [userMessage(`${id}-1`, `Question ${id}`)]));
      await studio.open({ threads });
      await page.getByRole('button', { name: 'Thread list menu' }).click();
      await expectAccessible(page);
      await page.getByRole('menuitem', { name: 'New folder…' }).click();
      await page.getByRole('textbox', { name: 'Folder name' }).fill('Work');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Create folder' }).click();
      await studio.threads
        .getByRole('link')
        .first()
        .click({ modifiers: ['ControlOrMeta'] });
      await expect(page.getByText('1 selected')).toBeVisible();
      await expectAccessible(page);
    });

    test('the preview and the console are accessible', async ({ studio, page }) => {
      await studio.open({ files: { '/index.html': '<title>Page</title><h1>Hello</h1>' } });
      for (const tab of ['Preview', 'Console']) {
        await page.getByRole('tab', { name: tab }).click();
        await page.waitForLoadState('networkidle');
        await expectAccessible(page);
      }
    });

    test('a summary, and where the context goes, are accessible', async ({ studio, bench, page }) => {
      bench.model.summarize = faithfulSummary;
      bench.model.script('Tell me a story.', [{ text: 'Once upon a time. '.repeat(100) }]);
      bench.model.script('Another one.', [{ text: 'No.' }]);
      await studio.open();
      await studio.say('Tell me a story.');
      await studio.settled();
      await page.getByRole('button', { name: 'Thread options' }).click();
      await page.getByRole('menuitem', { name: 'Compact now' }).click();
      await expect(page.getByText('The conversation will be summarized')).toBeVisible();
      await expectAccessible(page);
      await studio.say('Another one.');
      await studio.settled(2);
      const summary = page.getByRole('region', { name: 'Earlier messages summarized' });
      await summary.getByRole('button', { name: 'Earlier messages summarized' }).click();
      await expectAccessible(page);
      await summary.getByRole('button', { name: 'Undo', exact: true }).click();
      await expect(summary).toContainText('Undone.');
      await studio.answers.last().hover();
      await studio.answers.last().getByRole('button', { name: 'View prompt' }).click();
      await expect(page.getByRole('img', { name: /^Context: / })).toBeVisible();
      await expectAccessible(page);
      bench.model.summarize = undefined;
    });

    test('the settings of a model and its examination are accessible', async ({ studio, page }) => {
      const server = await DefectiveServer.start('leaks template tokens');
      await studio.open();
      await page.keyboard.press('ControlOrMeta+k');
      await page.keyboard.type('connect');
      await page.keyboard.press('Enter');
      await page.getByRole('textbox', { name: 'API key or address' }).fill(server.url);
      await expectAccessible(page);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('dialog')).toBeHidden();
      await studio.choose('Model', 'able');
      await studio.choose('Tool calling', 'Model settings');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Examine', exact: true }).click();
      await expect(page.getByRole('button', { name: 'Use this' })).toBeVisible();
      await page.mouse.move(0, 0);
      await expectAccessible(page);
      await server.stop();
    });

    test('a narrow screen is accessible', async ({ studio, page }) => {
      await page.setViewportSize({ width: 390, height: 800 });
      await studio.open({ files: { '/a.txt': 'alpha' } });
      await expectAccessible(page);
      for (const pane of ['Threads', 'Files', 'Editor']) {
        await page.getByRole('tab', { name: pane }).click();
        await expectAccessible(page);
      }
    });
  });
}

test('reduced motion: nothing moves by itself', async ({ studio, bench, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const question = prompt('Wait');
  bench.model.script(question, [{ text: 'x', hold: { after: 0, gate: `${question} never` } }]);
  await studio.open();
  await studio.say(question);
  await expect(page.getByText('Waiting for the model…')).toBeVisible();
  const moving = await page.evaluate(
    () =>
      document
        .getAnimations()
        .filter(({ playState, effect }) => playState === 'running' && Number(effect?.getComputedTiming().duration) > 1)
        .length,
  );
  expect(moving).toBe(0);
});
