import { expect } from '../lib/fixtures.ts';
import { add, ask, connected, resultOf, test } from '../lib/mcp-page.ts';

test('five reloads in mid-call never run a call twice', async ({ studio, bench, page, server }) => {
  await studio.open({ settings: { defaultModel: 'scripted' } });
  await add(studio, page, server);
  await connected(page);
  for (let round = 1; round <= 5; round++) {
    const { promise, resolve } = Promise.withResolvers<void>();
    server.gate = promise;
    const question = await ask(studio, bench, `City ${round}`);
    await studio.allowOnce.click();
    await expect.poll(() => server.calls.length).toBe(round);
    await page.reload();
    await studio.settled(round);
    resolve();
    expect(resultOf(bench, question)).toContain('interrupted');
  }
  expect(server.calls).toEqual([1, 2, 3, 4, 5].map((round) => `forecast City ${round}`));
});
