import { test as base, expect } from 'vitest';
import { StudioPage } from './studio-page.tsx';

/** A test of the studio's page, which is closed at its end. It fails if the page has reported an error. */
export const test = base.extend<{ studio: StudioPage }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures it needs from this pattern
  studio: async ({}, use) => {
    const studio = new StudioPage();
    await use(studio);
    await studio.end();
    expect(studio.problems, 'errors of the page').toEqual([]);
  },
});
