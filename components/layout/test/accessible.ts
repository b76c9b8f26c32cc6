import axe from 'axe-core';
import { expect } from 'vitest';
import { emulateMedia } from '#components/test/browser.ts';

/** Expects that axe finds no accessibility problems in the page, in light and in dark colors. */
export async function expectAccessible(): Promise<void> {
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await emulateMedia({ colorScheme });
    await expect.poll(() => document.documentElement.dataset.theme).toBe(colorScheme);
    await nothingFades();
    const { violations } = await axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
      resultTypes: ['violations'],
      // Frames of other origins cannot be seen from here.
      iframes: false,
    });
    for (const { id, nodes } of violations)
      found.push(
        `${colorScheme}, ${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`,
      );
  }
  expect(found).toEqual([]);
}

/** Waits until nothing is fading in or out: fading elements have hardly any contrast. */
async function nothingFades(): Promise<void> {
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
}
