import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './lib/fixtures.ts';
import { SECRET } from './lib/models-file.ts';
import { prompt } from './lib/prompt.ts';

test('[R18] the key is in no log, checkpoint, storage or page', async ({ studio, bench, page }) => {
  const question = prompt('Leak');
  bench.model.script(question, [
    [{ status: 401, message: `Incorrect API key provided: ${SECRET}` }, { text: 'Fine.' }],
  ]);
  await studio.open();
  await studio.say(question);
  await expect(studio.answers.getByRole('alert')).toContainText('rejected the API key');
  await studio.answers.getByRole('button', { name: 'Retry' }).click();
  await studio.settled();
  expect(bench.log()).not.toContain(SECRET);
  expect(await page.content()).not.toContain(SECRET);
  expect(JSON.stringify(await studio.turns())).not.toContain(SECRET);
  for (const file of readdirSync(bench.folder)) {
    expect(readFileSync(join(bench.folder, file)).includes(SECRET), file).toBe(false);
  }
});
