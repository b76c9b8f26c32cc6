import { expect, test } from '../lib/fixtures.ts';
import { prompt } from '../lib/prompt.ts';

for (const width of [1_400, 390]) {
  test(`the conversation is printed whatever is shown beside it or in its place, at ${width} pixels`, async ({
    studio,
    bench,
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    const question = prompt('Make a page');
    bench.model.script(question, [{ text: 'Here:\n\n```html\n<h1>Hi</h1>\n```\n\nThat is all.' }]);
    await studio.open({ settings: { defaultModel: 'scripted' }, files: { '/a.txt': 'alpha' } });
    await studio.say(question);
    await studio.settled();
    await page.getByRole('button', { name: 'Show in preview' }).click();
    await expect(page.getByRole('button', { name: 'Back to the workspace' })).toBeVisible();
    await page.evaluate(() => {
      addEventListener('beforeprint', () => {
        document.documentElement.dataset.printed = document.querySelector('main')?.innerText ?? '';
      });
    });
    // A print of A4 is as wide as a narrow window.
    const pdf = await page.pdf({ format: 'A4' });
    // An empty page has less than 2 kB.
    expect(pdf.length).toBeGreaterThan(10_000);
    await expect(page.locator('html')).toHaveAttribute('data-printed', /That is all\./);
    await expect(page.getByRole('button', { name: 'Back to the workspace' })).toBeVisible();
  });
}

test('wide tables, long lines, and long errors fit on paper', async ({ studio, bench, page }) => {
  const [question, failing] = [prompt('Compare'), prompt('Fail')];
  const row = (cell: string) => `| ${Array.from({ length: 14 }, (_, index) => `${cell} ${index}`).join(' | ')} |`;
  const table = [row('Column'), row('---').replaceAll(/--- \d+/g, '---'), row('Some_longer_value')].join('\n');
  bench.model.script(question, [{ text: `${table}\n\n\`${'x'.repeat(300)}\`\n\n\`\`\`\n${'y'.repeat(300)}\n\`\`\`` }]);
  bench.model.script(failing, [{ status: 400, message: `refused: ${'z'.repeat(300)}` }]);
  await studio.open({ settings: { defaultModel: 'scripted' } });
  await studio.say(question);
  await studio.settled();
  await studio.say(failing);
  await studio.settled(2);
  await expect(page.getByText('zzz').first()).toBeVisible();
  await page.setViewportSize({ width: 718, height: 1_000 });
  await page.emulateMedia({ media: 'print' });
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll('main article *')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && !element.closest('.sr-only'))
      .map(({ outerHTML }) => outerHTML.slice(0, 120)),
  );
  expect(cut).toEqual([]);
});
