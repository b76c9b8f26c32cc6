import { expect, test } from './lib/fixtures.ts';
import { prompt } from './lib/prompt.ts';

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
