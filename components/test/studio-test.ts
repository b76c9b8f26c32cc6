import { test as base, expect } from 'vitest';
import { page } from 'vitest/browser';
import { StudioPage } from './studio-page.tsx';

/** The size of the window, unless a test changes it, in CSS pixels. */
const [WIDTH, HEIGHT] = [1440, 900];

/** A test of the studio's page. The page is closed at the end. The test fails if the page has reported an error. */
export const test = base.extend<{ studio: StudioPage }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures it needs from this pattern
  studio: async ({}, use) => {
    const studio = new StudioPage();
    await use(studio);
    await studio.end();
    if (innerWidth !== WIDTH || innerHeight !== HEIGHT) await page.viewport(WIDTH, HEIGHT);
    expect(studio.problems, 'errors of the page').toEqual([]);
  },
});
