import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { loadEditor } from '#components/editor/test/load-editor.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';

loadEditor();

const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="9"></svg>';

test('links and inline code lead to files of the workspace, and its images are shown', async ({ studio }) => {
  const question = prompt('Where?');
  const text = [
    'In [the app](/src/App.tsx:2), in `src/lib.ts:1`, and in `src/none.ts`.',
    'See [the docs](https://docs.example/a), ![a dot](img/dot.svg), and ![far](https://img.example/b.png).',
  ].join('\n\n');
  await model.script(question, [{ text }]);
  await studio.open({
    files: { '/src/App.tsx': 'one\ntwo\nthree', '/src/lib.ts': 'lib', '/img/dot.svg': PICTURE },
  });
  await studio.say(question);
  await studio.settled();
  await studio.answers.getByRole('button', { name: 'the app' }).click();
  await expect.element(studio.editor.locate('.view-lines')).toContainText('two');
  await expect.element(studio.editor.locate('.monaco-editor')).toHaveClass(/focused/);
  await studio.answers.getByRole('button', { name: 'src/lib.ts:1' }).click();
  await expect.element(studio.editor.locate('.view-lines')).toContainText('lib');
  await expect.element(studio.answers.getByText('src/none.ts')).toBeVisible();
  await expect.element(studio.answers.getByRole('button', { name: 'src/none.ts' })).not.toBeInTheDocument();
  await expect.element(studio.answers.getByRole('link', { name: 'the docs' })).toHaveAttribute('target', '_blank');
  const picture = studio.answers.getByRole('img', { name: 'a dot' });
  await studio.answers.getByRole('button', { name: 'Enlarge picture: a dot' }).click();
  await expect.element(page.getByRole('dialog', { name: 'a dot' }).getByRole('img')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.poll(async () => ((await picture.findElement()) as HTMLImageElement).naturalWidth).toBe(7);
  await expect.element(studio.answers.getByRole('link', { name: 'far (img.example)' })).toBeVisible();
});

test('a thread that is not in this browser is said to be missing', async ({ studio }) => {
  await studio.open({ thread: 'nowhere' });
  const alert = page.getByRole('alert').filter({ hasText: 'Couldn’t open this thread' });
  await expect.element(alert).toContainText('This thread isn’t in this browser.');
  await alert.getByRole('button', { name: 'Close' }).click();
  await expect.element(alert).not.toBeInTheDocument();
  await expect.element(studio.message).toBeVisible();
});
