import { startCountingServer } from '../lib/counting-server.ts';
import { expect, test } from '../lib/fixtures.ts';
import { prompt, readCall } from '../lib/prompt.ts';

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
