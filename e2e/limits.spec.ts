import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCountingServer } from './lib/counting-server.ts';
import { expect, test } from './lib/fixtures.ts';
import { SECRET } from './lib/models-file.ts';
import { prompt, readCall } from './lib/prompt.ts';

test('traces are sent nowhere, whatever the environment says, except if the studio’s configuration says so', async ({
  studio,
  startBench,
}) => {
  const started = await Promise.all(
    [false, true].map(async (isAsked) => {
      const counting = await startCountingServer();
      const switches = ['LANGSMITH_TRACING', 'LANGSMITH_TRACING_V2', 'LANGCHAIN_TRACING', 'LANGCHAIN_TRACING_V2'];
      const endpoint = `http://127.0.0.1:${counting.port}`;
      const bench = await startBench({
        ...Object.fromEntries(switches.map((name) => [name, 'true'])),
        LANGSMITH_ENDPOINT: endpoint,
        LANGCHAIN_ENDPOINT: endpoint,
        LANGSMITH_API_KEY: 'lsv2_pt_0123456789',
        LANGCHAIN_VERBOSE: String(!isAsked),
        ...(isAsked && { AGENT_TRACING: 'true' }),
      });
      return { isAsked, bench, counting };
    }),
  );
  // Traces are sent in batches, seconds later. Once one has arrived, an earlier one would have, too.
  for (const { isAsked, bench, counting } of started) {
    const question = prompt('Tell nobody');
    bench.model.script(question, [{ calls: readCall('/a') }, { text: 'Nobody knows.' }]);
    await studio.open({ url: bench.url });
    await studio.say(question);
    await studio.settled();
    await expect(studio.answers).toContainText('Nobody knows.');
    if (isAsked) await expect.poll(() => counting.hits.length).toBeGreaterThan(0);
    else expect(bench.log()).not.toContain(question);
  }
  for (const { isAsked, counting } of started) {
    if (!isAsked) expect(counting.hits).toEqual([]);
    await counting.stop();
  }
});

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
