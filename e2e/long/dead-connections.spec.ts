import { Cable } from '../lib/cable.ts';
import { expect, test } from '../lib/fixtures.ts';
import { evalCall, prompt } from '../lib/prompt.ts';

/** The longest time from the network's return until the answer goes on, in milliseconds. */
const WITHIN_MS = 15_000;

/** Times without a network, in milliseconds: shorter and longer than it takes to notice. */
const AWAY_MS = [1_000, 30_000] as const;

for (const awayMs of AWAY_MS)
  test(`[R3] [R9] after ${awayMs} ms without a network, over connections that are dead but not closed, the answer goes on`, async ({
    studio,
    bench,
    page,
  }) => {
    test.setTimeout(120_000);
    const cable = await Cable.between(bench.url);
    const question = prompt('Compute');
    const text = 'First a word, then the rest of it.';
    bench.model.script(question, [
      { text, calls: evalCall('console.log("ran"); 40 + 2'), hold: { after: 12, gate: question } },
      { text: 'It is 42.' },
    ]);
    studio.expectedProblems.push('Failed to load resource');
    await studio.open({ url: cable.url });
    await studio.say(question);
    await expect(studio.answers).toContainText('First a word');
    cable.pull();
    // The model goes on meanwhile.
    bench.model.open(question);
    await new Promise((resolve) => setTimeout(resolve, awayMs));
    cable.plugIn();
    const backAt = Date.now();
    await expect(studio.answers).toContainText('the rest of it', { timeout: WITHIN_MS });
    test.info().annotations.push({ type: 'went on after', description: `${Date.now() - backAt} ms` });
    await expect(studio.allow).toBeVisible();
    await studio.allow.click();
    await studio.settled();
    await expect(studio.answers).toContainText('It is 42.');
    const results = bench.model.requestsFor(question)[1]?.messages.filter(({ role }) => role === 'tool');
    expect(results).toHaveLength(1);
    expect(String(results?.[0]?.content).split('ran')).toHaveLength(2);
    expect(bench.model.requestsFor(question)).toHaveLength(2);
    await page.close();
    await cable.stop();
  });
