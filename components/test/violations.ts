import axe from 'axe-core';
import type { Locator } from 'vitest/browser';

/** Returns the accessibility problems that axe finds in an element. */
export async function violationsIn(locator: Locator): Promise<axe.Result[]> {
  return (await axe.run(await locator.findElement())).violations;
}
