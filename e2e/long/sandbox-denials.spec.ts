import type { CDPSession, Page } from '@playwright/test';
import { denials } from '../lib/attacks.ts';
import { expect, test } from '../lib/fixtures.ts';
import { evaluateAll } from '../lib/sandbox.ts';
import { StudioPage } from '../lib/studio-page.ts';

/** The maximum delay of the page's own timers, whatever the code does, in milliseconds. */
const STALL_MAX_MS = 500;

/**
 * A page whose timers are watched.
 *
 * Code that fills the memory can end the process of its sandbox, which the studio replaces. Playwright then treats the
 * whole page as crashed and refuses to work with it, so the page is asked over a connection of its own.
 */
class WatchedPage {
  crashed = false;
  readonly #page: CDPSession;

  private constructor(page: Page, session: CDPSession) {
    this.#page = session;
    page.on('crash', () => {
      this.crashed = true;
    });
  }

  static async watch(page: Page): Promise<WatchedPage> {
    await page.evaluate(() => {
      const beat = { last: performance.now(), longest: 0 };
      Object.assign(window, { beat });
      setInterval(() => {
        const now = performance.now();
        beat.longest = Math.max(beat.longest, now - beat.last);
        beat.last = now;
      }, 10);
    });
    return new WatchedPage(page, await page.context().newCDPSession(page));
  }

  /** The longest time without a timer of the page firing, since this was last called. */
  async longestStall(): Promise<number> {
    const { result } = await this.#page.send('Runtime.evaluate', {
      expression: '{ const { longest } = beat; beat.longest = 0; longest }',
    });
    return result.value;
  }
}

test('code that uses up every resource is stopped, and the page and the next call continue', async ({
  studio: first,
  bench,
  context,
}) => {
  test.setTimeout(300_000);
  const loads: string[] = [];
  const open = async (studio: StudioPage): Promise<{ studio: StudioPage; watched: WatchedPage }> => {
    studio.expectedProblems.push('');
    studio.page.on('dialog', (dialog) => {
      loads.push('dialog');
      void dialog.dismiss();
    });
    studio.page.on('domcontentloaded', () => loads.push('load'));
    return { studio, watched: await WatchedPage.watch(studio.page) };
  };
  await first.open();
  await evaluateAll({ bench, studio: first }, ['1']);
  let { studio, watched } = await open(first);
  const reader = await context.newPage();
  await reader.goto('/icon.svg');
  const stalls: { name: string; stall: number }[] = [];
  for (const { name, code, timeout, stallMaxMs = STALL_MAX_MS } of denials) {
    await watched.longestStall();
    const [result, next] = await evaluateAll({ bench, studio }, [{ code, timeout }, '1 + 1'], { reader });
    const stall = await watched.longestStall();
    stalls.push({ name, stall: Math.round(stall) });
    expect.soft(next, `after ${name}`).toMatch(/^2(\n\[A new session|$)/);
    if (name === 'large messages') expect.soft(result).toContain('sent messages directly to the studio’s page');
    expect.soft((result ?? '').length, name).toBeLessThan(250_000);
    expect.soft(stall, `${name} held the page up`).toBeLessThan(stallMaxMs);
    if (watched.crashed) {
      const page = await context.newPage();
      await page.goto(studio.page.url());
      await studio.page.close();
      ({ studio, watched } = await open(new StudioPage(page)));
    }
  }
  stalls.sort((a, b) => b.stall - a.stall);
  console.log('The longest stalls of the page, in milliseconds:', stalls.slice(0, 5));
  expect(loads).toEqual([]);
});
