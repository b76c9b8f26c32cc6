import { expect, onTestFinished, test } from 'vitest';
import { monaco } from './monaco.ts';
import { showDiff } from './show-diff.ts';

test('differences that are closed while they are computed leave no error behind', async () => {
  const errors: unknown[] = [];
  const note = (event: PromiseRejectionEvent) => {
    errors.push(event.reason);
    event.preventDefault();
  };
  addEventListener('unhandledrejection', note);
  // Keeps Monaco's worker, which ends with the last model.
  const other = monaco.editor.createModel('other');
  const host = document.body.appendChild(document.createElement('div'));
  onTestFinished(() => {
    removeEventListener('unhandledrejection', note);
    other.dispose();
    host.remove();
  });
  for (let round = 0; round < 5; round++) {
    const editor = monaco.editor.createDiffEditor(host);
    const models = { original: monaco.editor.createModel('a\n'), modified: monaco.editor.createModel('b\n') };
    const close = showDiff(editor, models);
    close();
    editor.dispose();
    expect(models.original.isDisposed() && models.modified.isDisposed()).toBe(true);
  }
  // The worker answers in order: once it has compared these, it has compared all.
  const editor = monaco.editor.createDiffEditor(host);
  const compared = new Promise<void>((resolve) => void editor.onDidUpdateDiff(resolve));
  const close = showDiff(editor, {
    original: monaco.editor.createModel('a\n'),
    modified: monaco.editor.createModel('b\n'),
  });
  await compared;
  expect(editor.getLineChanges()).toHaveLength(1);
  // The event of a rejection is a task of its own.
  await new Promise((resolve) => setTimeout(resolve));
  close();
  editor.dispose();
  expect(errors).toEqual([]);
});
