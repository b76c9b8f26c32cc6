import { expect, type Locator } from '@playwright/test';

/**
 * Clicks an element of a frame that has just appeared, once the pointer is over it. Now and then, Chromium sends the first
 * input for a new frame to the page around it, where a click would be lost.
 */
export async function clickInFrame(element: Locator): Promise<void> {
  await expect(async () => {
    await element.hover();
    expect(await element.evaluate((one) => one.matches(':hover'))).toBe(true);
  }).toPass();
  await element.click();
}
