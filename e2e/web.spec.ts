import { DEFAULT_TOOLSETS } from '#lib/tools/toolset-names.ts';
import { expect, test } from './lib/fixtures.ts';
import { prompt } from './lib/prompt.ts';
import { WebTestServer } from './lib/web-server.ts';

test('what was requested just before a reload is in the network activity', async ({ studio, bench, page }) => {
  const site = await WebTestServer.start();
  try {
    const question = prompt('Fetch it twice');
    const call = { name: 'fetch_url', arguments: JSON.stringify({ url: `${site.url}/data` }) };
    bench.model.script(question, [{ calls: [call] }, { calls: [call] }, { text: 'Fetched.' }]);
    await studio.open({ settings: { defaultModel: 'scripted', toolsets: [...DEFAULT_TOOLSETS, 'web'] } });
    await studio.say(question);
    await studio.allow.click();
    await studio.settled();
    await page.reload();
    await studio.openSettings('Permissions');
    const table = page.getByRole('table', { name: 'Network activity' });
    await expect(table.getByRole('row').filter({ hasText: site.host })).toHaveCount(2);
  } finally {
    await site.stop();
  }
});
