import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { loadEditor } from '#components/editor/test/load-editor.ts';
import { mouse, resizeWindow } from '#components/test/browser.ts';
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

test('a narrow screen is accessible', async ({ studio }) => {
  await resizeWindow(390, 800);
  await studio.open({ files: { '/a.txt': 'alpha' } });
  await expectAccessible();
  for (const pane of ['Threads', 'Files', 'Editor']) {
    await page.getByRole('tab', { name: pane }).click();
    await expectAccessible();
  }
});
