import { expect } from 'vitest';
import { keyboard } from '#components/test/browser.ts';
import { test } from '#components/test/studio-test.ts';
import { loadEditor } from './test/load-editor.ts';

loadEditor();

test('a file with a very long line is shown as plain text, edited, and kept', async ({ studio }) => {
  const long = `const x = [${'{a: 1}, '.repeat(75_000)}];`;
  await studio.open({ files: { '/long.js': long, '/short.js': 'const x = 1;' } });
  const editor = studio.editor.locate('[data-mode-id]').first();
  await studio.openFile('short.js', 'const x');
  await expect.element(editor).toHaveAttribute('data-mode-id', 'javascript');
  await studio.openFile('long.js', 'const x');
  await expect.element(editor).toHaveAttribute('data-mode-id', 'plaintext');
  await studio.editor.locate('.view-lines').click();
  await keyboard.press('ControlOrMeta+Home');
  await keyboard.type('let y; ');
  await expect.poll(async () => (await studio.workspace()).get('/long.js')).toBe(`let y; ${long}`);
});
