import { expect, test } from '../lib/fixtures.ts';
import { prompt } from '../lib/prompt.ts';

test('[R9] a server restart that takes longer than usual, while a message is sent: it is sent when the server is back', async ({
  studio,
  bench,
  page,
}) => {
  const question = prompt('Are you there?');
  bench.model.script(question, [{ text: 'Here I am.' }]);
  studio.expectedProblems.push('Failed to load', 'failed to load', 'ERR_CONNECTION_REFUSED');
  await studio.open();
  // The code that sends messages is loaded once the page is idle.
  await page.waitForLoadState('networkidle');
  await bench.stopStudio('SIGKILL');
  let refused = 0;
  page.on('requestfailed', (request) => {
    if (request.url().includes('/api/chat')) refused++;
  });
  await page.clock.install();
  await studio.say(question);
  await expect(studio.answers.getByRole('status')).toContainText('isn’t responding. Reconnecting…');
  // More often than there are different waits between two attempts.
  await expect
    .poll(async () => {
      await page.clock.fastForward(4_000);
      return refused;
    })
    .toBeGreaterThan(8);
  await expect(studio.answers.getByRole('status')).toContainText('isn’t responding. Reconnecting…');
  await bench.startStudio();
  await page.clock.fastForward(4_000);
  await studio.settled();
  await expect(studio.answers).toContainText('Here I am.');
  await expect(studio.answers.getByRole('alert')).toBeHidden();
  expect(bench.model.requestsFor(question)).toHaveLength(1);
});
