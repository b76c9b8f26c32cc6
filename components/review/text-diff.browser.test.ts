import { expect } from 'vitest';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt, writeCall } from '#e2e/lib/prompt.ts';

/** Returns by how many CSS pixels a shown line number overlaps its line, at most. */
function overlap(diff: Element): number {
  const rows = [...diff.querySelectorAll('tr')].map((row) => {
    const range = document.createRange();
    const numbers = [...row.querySelectorAll('.diff-gutter')].filter(({ textContent }) => textContent !== '');
    const code = row.querySelector('.diff-code')?.getBoundingClientRect().left ?? Number.NaN;
    return numbers.map((number) => {
      range.selectNodeContents(number);
      return range.getBoundingClientRect().right - code;
    });
  });
  return Math.max(...rows.flat());
}

test('the numbers of a new and of a deleted file stand beside its lines', async ({ studio }) => {
  const question = prompt('Write and delete');
  await model.script(question, [
    { calls: writeCall('/new.ts', 'const a = 1;\nconst b = 2;\n') },
    { calls: [{ name: 'delete_path', arguments: '{"path":"/old.ts"}' }] },
    { text: 'Done.' },
  ]);
  await studio.open({ files: { '/old.ts': 'const c = 3;\n' } });
  await studio.say(question);
  await studio.settled();
  for (const tool of ['write_file', 'delete_path']) {
    const card = studio.call(tool);
    const diff = card.locate('.text-diff');
    if (diff.query() === null) await card.getByRole('button').first().click();
    await expect.element(diff).toContainText('const');
    expect(overlap(await diff.findElement()), tool).toBeLessThan(0);
  }
});
