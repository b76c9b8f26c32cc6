import { EverythingServer } from '#lib/mcp/test/everything-server.ts';
import { expect } from './lib/fixtures.ts';
import { add, connected, test } from './lib/mcp-page.ts';
import { prompt } from './lib/prompt.ts';

test('shots', async ({ studio, bench, page }) => {
  const everything = await EverythingServer.start();
  await studio.open();
  await add(studio, page, everything, { name: 'everything' });
  await connected(page);
  await studio.message.pressSequentially('See @arch');
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.screenshot({ path: '/tmp/h/shots/mention.png' });
  await studio.message.fill('');
  await studio.message.pressSequentially('/every');
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.screenshot({ path: '/tmp/h/shots/prompts.png' });
  await page.getByRole('option', { name: /Arguments Prompt/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.screenshot({ path: '/tmp/h/shots/dialog.png' });
  await page.keyboard.press('Escape');
  await studio.message.fill('');
  const question = prompt('Ask me');
  bench.model.script(question, [
    { calls: [{ name: 'everything_trigger-elicitation-request', arguments: '{}' }] },
    { text: 'Called.' },
  ]);
  await studio.say(question);
  await studio.allowOnce.click();
  const form = page.getByRole('form', { name: /Question of/ });
  await form.getByRole('button', { name: 'Submit' }).click();
  await page.screenshot({ path: '/tmp/h/shots/form-light.png' });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: '/tmp/h/shots/form-dark.png' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForTimeout(500);
  await page.screenshot({ path: '/tmp/h/shots/form-narrow.png' });
  await everything.stop();
});
