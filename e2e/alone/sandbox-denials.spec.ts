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
  const stalls: { name: string; stall: number }[] = [];
  for (const { name, code, timeout } of denials) {
    await longest();
    const [result, next] = await evaluateAll({ bench, studio }, [{ code, timeout }, '1 + 1']);
    const stall = await longest();
    stalls.push({ name, stall: Math.round(stall) });
    expect.soft(next, `after ${name}`).toMatch(/^2(\n\[A new session|$)/);
    expect.soft((result ?? '').length, name).toBeLessThan(250_000);
    expect.soft(stall, `${name} held the page up`).toBeLessThan(STALL_MAX_MS);
  }
  stalls.sort((a, b) => b.stall - a.stall);
  console.log('The longest stalls of the page, in milliseconds:', stalls.slice(0, 5));
  expect(loads).toEqual([]);
});
