import { expect, onTestFinished } from 'vitest';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';

/** Breaks what only the editor uses, and only once a file is opened, until the returned function is called. */
function breakEditor(message = 'EditContext is broken here'): () => void {
  const whole = Object.getOwnPropertyDescriptor(globalThis, 'EditContext');
  const mend = () => Object.defineProperty(globalThis, 'EditContext', { configurable: true, ...whole });
  onTestFinished(() => void mend());
  const value = function EditContext() {
    throw new Error(message);
  };
  Object.defineProperty(globalThis, 'EditContext', { configurable: true, writable: true, value });
  return mend;
}

test('a view that breaks says so in its place, and the rest keeps working', async ({ studio }) => {
  const question = prompt('Continue');
  await model.script(question, [{ text: 'The chat goes on.' }]);
  // The other errors are left over from the half-created editor.
  studio.expectedProblems.push('EditContext is broken here', 'setClassName', 'domNode');
  await studio.open({ files: { '/a.txt': 'alpha' } });
  const mend = breakEditor();
  await studio.files.getByRole('treeitem', { name: 'a.txt' }).click();
  const alert = studio.editor.getByRole('alert');
  await expect.element(alert).toContainText('This part of the studio stopped working. The rest still works');
  await expect.element(alert.getByRole('button', { name: 'Copy details' })).toBeVisible();
  await expect.element(alert).toContainText('EditContext is broken here');
  await studio.say(question);
  await studio.settled();
  await expect.element(studio.answers).toContainText('The chat goes on.');
  mend();
  await studio.editor.getByRole('button', { name: 'Try again' }).click();
  await expect.element(studio.editor.locate('.view-lines'), { timeout: 15_000 }).toContainText('alpha');
});

test.for(['js', 'css'])('a view whose %s is gone from the server offers a reload', async (extension, { studio }) => {
  // No server has this file.
  const message = `Failed to load chunk /_next/static/chunks/gone.${extension} from module 1`;
  studio.expectedProblems.push(message, 'setClassName', 'domNode', '404');
  await studio.open({ files: { '/a.txt': 'alpha' } });
  breakEditor(message);
  await studio.files.getByRole('treeitem', { name: 'a.txt' }).click();
  const alert = studio.editor.getByRole('alert');
  await expect.element(alert).toContainText('The studio has been updated. Reload the page to continue.');
  await expect.element(alert.getByRole('button', { name: 'Reload page' })).toBeVisible();
});
