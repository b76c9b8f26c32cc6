import { denials } from '../lib/attacks.ts';
import { expect, test } from '../lib/fixtures.ts';
import { evaluateAll } from '../lib/sandbox.ts';
import type { StudioPage } from '../lib/studio-page.ts';

/** How late the page's own timers may be, whatever the code does, in milliseconds. */
const STALL_MAX_MS = 500;

/** The longest time without a timer of the page firing, since this was last called. */
async function heartbeat({ page }: StudioPage): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const beat = { last: performance.now(), longest: 0 };
    Object.assign(window, { beat });
    setInterval(() => {
      const now = performance.now();
      beat.longest = Math.max(beat.longest, now - beat.last);
      beat.last = now;
    }, 10);
  });
  return () =>
    page.evaluate(() => {
      const { beat } = window as unknown as { beat: { last: number; longest: number } };
      const { longest } = beat;
      beat.longest = 0;
      return longest;
    });
}

test('code that takes every resource is ended, and the page and the next call continue', async ({ studio, bench }) => {
  test.setTimeout(300_000);
  await studio.open();
  const loads: string[] = [];
  studio.expectedProblems.push('');
  studio.page.on('dialog', (dialog) => {
    loads.push('dialog');
    void dialog.dismiss();
  });
  studio.page.on('domcontentloaded', () => loads.push('load'));
  await evaluateAll({ bench, studio }, ['1']);
  const longest = await heartbeat(studio);
  for (const { name, code, timeout } of denials) {
    let stall = Number.POSITIVE_INFINITY;
    // Other programs on this machine block the page, too, but not every time.
    for (let tries = 0; tries < 3 && stall >= STALL_MAX_MS; tries++) {
      await longest();
      const [result, next] = await evaluateAll({ bench, studio }, [{ code, timeout }, '1 + 1']);
      stall = await longest();
      expect.soft(next, `after ${name}`).toMatch(/^2(\n\[A new session|$)/);
      expect.soft((result ?? '').length, name).toBeLessThan(250_000);
    }
    expect.soft(stall, `${name} held the page up`).toBeLessThan(STALL_MAX_MS);
  }
  expect(loads).toEqual([]);
});
