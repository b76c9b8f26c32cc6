import type { Locator } from '@playwright/test';
import { expect, test } from '../lib/fixtures.ts';

test.describe('with high contrast', () => {
  test.use({ forcedColors: 'active' });

  const look = async (element: Locator) => (await element.screenshot({ animations: 'disabled' })).toString('base64');

  test('what is on, chosen, or shown looks different from what is not', async ({ studio, bench, page }) => {
    bench.model.script('One', [{ text: 'First.' }]);
    await studio.open({ settings: { defaultModel: 'scripted' }, files: { '/a.txt': 'a' } });
    await studio.say('One');
    await studio.settled();
    const tab = page.getByRole('tab', { name: 'Preview', exact: true });
    const before = await look(tab);
    await tab.click();
    await page.mouse.move(0, 0);
    expect(await look(tab), 'a tab').not.toBe(before);

    const entry = studio.threads.getByRole('link', { name: 'One' });
    const shown = await look(entry);
    await page.getByRole('button', { name: 'New thread', exact: true }).click();
    await page.mouse.move(0, 0);
    await expect(entry).not.toHaveAttribute('aria-current');
    expect(await look(entry), 'a thread').not.toBe(shown);

    await studio.openTools();
    const web = studio.toolsPanel.getByRole('switch', { name: 'Web' });
    await page.mouse.move(0, 0);
    const off = await look(web.locator('[aria-hidden]').last());
    await web.click();
    await page.mouse.move(0, 0);
    expect(await look(web.locator('[aria-hidden]').last()), 'a switch').not.toBe(off);
    await page.keyboard.press('Escape');

    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: 'Command palette' })).toBeFocused();
    const options = page.getByRole('option');
    const [first, second] = [options.nth(0), options.nth(1)];
    await expect(first).toHaveAttribute('aria-selected', 'true');
    const [chosen, other] = [await look(first), await look(second)];
    await page.keyboard.press('ArrowDown');
    await expect(second).toHaveAttribute('aria-selected', 'true');
    expect(await look(first), 'an entry of the palette').not.toBe(chosen);
    expect(await look(second), 'an entry of the palette').not.toBe(other);
  });
});
