import { expect } from 'vitest';
import { keyboard } from '#components/test/browser.ts';
import { test } from '#components/test/studio-test.ts';
import { loadEditor } from './test/load-editor.ts';

loadEditor();

test('a file with a very long line is shown as plain text, edited, and kept', async ({ studio }) => {
  const long = `const x = [${'{a: 1}, '.repeat(75_000)}];`;
  await studio.open({ files: { '/long.js': long, '/short.js': 'const x = 1;' } });
  await studio.openFile('short.js', 'const x');
  const colors = () =>
    new Set([...document.querySelectorAll('.view-line span[class^="mtk"]')].map((span) => span.className));
  await expect.poll(() => colors().size).toBeGreaterThan(1);
  await studio.openFile('long.js', 'const x');
  await expect.poll(() => [...colors()]).toEqual(['mtk1', 'mtkoverflow']);
  await studio.editor.locate('.view-lines').click();
  await keyboard.press('ControlOrMeta+Home');
  await keyboard.type('let y; ');
  await expect.poll(async () => (await studio.workspace()).get('/long.js')).toBe(`let y; ${long}`);
});
