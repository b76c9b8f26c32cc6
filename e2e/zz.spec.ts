import { expect, test } from './lib/fixtures.ts';
import { faithfulSummary } from './lib/model-server.ts';

const STORY = 'once upon a time there was a harbour where nobody asked any questions, '.repeat(18);
test('look', async ({ studio, bench, page }) => {
  test.setTimeout(120_000);
  bench.model.summarize = (body) => ({
    ...faithfulSummary(body),
    text: `${faithfulSummary(body).text}\n- The harbour needs a **name**.`,
    hold: { after: 10, gate: 'sum' },
  });
  await studio.open({ model: 'narrow-4k' });
  await page.setViewportSize({ width: 1280, height: 900 });
  for (let turn = 1; turn <= 6; turn++) {
    const question = `Tell me story ${turn}.`;
    bench.model.script(question, [
      { text: `Story ${turn}: ${turn < 3 ? STORY : STORY.slice(0, 500)}\n\nthe lighthouse ${turn} = ${turn * 11} m` },
    ]);
    await studio.say(question);
    if (turn < 3) {
      bench.model.open('sum');
    }
    await page.waitForTimeout(900);
    await page.screenshot({ path: `/tmp/shots/run${turn}.png` });
    bench.model.open('sum');
    await studio.settled(turn);
    if (turn === 4) {
      await page.getByRole('button', { name: 'Thread options' }).click();
      await page.screenshot({ path: '/tmp/shots/menu.png' });
      await page.getByRole('menuitem', { name: 'Compact now' }).click();
      await page.waitForTimeout(300);
      await page.screenshot({ path: '/tmp/shots/next.png' });
    }
  }
  const card = page.getByRole('region', { name: 'Earlier messages were summarized for the model' }).first();
  await card.scrollIntoViewIfNeeded();
  await page.screenshot({ path: '/tmp/shots/closed.png' });
  await card.getByRole('button', { name: 'Earlier messages' }).click();
  await page.waitForTimeout(300);
  await page.screenshot({ path: '/tmp/shots/open.png' });
  await page.emulateMedia({ colorScheme: 'dark' });
  await card.getByRole('button', { name: 'Undo' }).click();
  await page.waitForTimeout(300);
  await page.screenshot({ path: '/tmp/shots/dark.png' });
  await studio.answers.last().hover();
  await studio.answers.last().getByRole('button', { name: 'View prompt' }).click();
  await page.waitForTimeout(600);
  await page.screenshot({ path: '/tmp/shots/inspector.png' });
  await page.keyboard.press('Escape');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 800 });
  await card.scrollIntoViewIfNeeded();
  await page.waitForTimeout(300);
  await page.screenshot({ path: '/tmp/shots/narrow.png' });
  expect(1).toBe(1);
});
