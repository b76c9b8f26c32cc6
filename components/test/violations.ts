import axe from 'axe-core';
import type { Locator } from 'vitest/browser';

/** What axe finds wrong with an element, for people who use assistive technology. */
export async function violationsIn(locator: Locator): Promise<axe.Result[]> {
  return (await axe.run(await locator.findElement())).violations;
}
