import { expect, test } from './lib/fixtures.ts';

test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

test('on a touch screen, text is 16 pixels tall and everything is large enough for a finger', async ({
  studio,
  page,
}) => {
  await studio.open({ settings: {} });
  await expect(studio.message).toHaveCSS('font-size', '16px');
  for (const name of ['Attach files', 'Tools: Browser, Files', 'Send']) {
    const box = await page.getByRole('button', { name, exact: true }).boundingBox();
    expect(box?.height, name).toBeGreaterThanOrEqual(44);
    expect(box?.width, name).toBeGreaterThanOrEqual(44);
  }
});
