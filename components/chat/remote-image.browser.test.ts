import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import type { StudioPage } from '#components/test/studio-page.tsx';
import { webTest as test } from '#components/test/web-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';

const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="9"></svg>';

/** Asks for an answer with this text. */
async function answerWith(studio: StudioPage, text: string): Promise<void> {
  const question = prompt('Pictures?');
  await model.script(question, [{ text }]);
  await studio.say(question);
}

const question = page.getByRole('group', { name: /^Load images from/ });

const widthOf = (studio: StudioPage, name: string) => async () =>
  ((await studio.answers.getByRole('img', { name }).findElement()) as HTMLImageElement).naturalWidth;

test('an image of another site is loaded once the person allows its host, and recorded', async ({
  studio,
  site,
  other,
}) => {
  const [url, host] = [await site.get('url'), await site.get('host')];
  const otherUrl = await other.get('url');
  for (const path of ['/one.svg', '/two.svg']) await site.call('serveImage', path, PICTURE);
  await other.call('serveImage', '/three.svg', PICTURE);
  await site.call('redirect', '/away.svg', `${otherUrl}/three.svg`);
  await studio.open();
  await answerWith(
    studio,
    `![first](${url}/one.svg) [![two](${url}/two.svg)](${url}/page) and ![away](${url}/away.svg), ![none](${url}/none.svg)`,
  );
  await studio.settled();
  expect(await site.get('requests')).toEqual([]);
  await expect.element(studio.answers.getByRole('link', { name: `first (${host})` })).toBeVisible();
  const offers = studio.answers.getByRole('button', { name: 'Load image' });
  await expect.element(offers).toHaveLength(4);

  // Escape asks for nothing.
  await offers.first().click();
  await expect.element(question).toContainText(`Load images from ${host} (on your network)?`);
  await expect.element(question.getByRole('button', { name: 'Load once' })).toHaveFocus();
  await keyboard.press('Escape');
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(offers.first()).toHaveFocus();

  await offers.first().click();
  await question.getByRole('button', { name: 'Load once' }).click();
  await expect.poll(widthOf(studio, 'first')).toBe(7);
  await expect.element(studio.answers.getByRole('img', { name: 'first' })).toHaveFocus();
  expect(await site.get('requests')).toEqual(['GET /one.svg']);
  await expect.element(offers).toHaveLength(3);

  // One in a link does not follow it.
  await offers.first().click();
  await question.getByRole('button', { name: 'Load in this thread' }).click();
  await expect.poll(widthOf(studio, 'two')).toBe(7);
  await expect.element(studio.answers).toContainText('the site returned status 404.');
  // The target of a redirect is asked about, too.
  expect(await other.get('requests')).toEqual([]);
  await offers.click();
  await expect.element(question).toContainText(`Load images from ${await other.get('host')} (on your network)?`);
  await question.getByRole('button', { name: 'Always load' }).click();
  await expect.poll(widthOf(studio, 'away')).toBe(7);
  await expect.element(studio.answers.getByRole('button', { name: 'Retry' })).toHaveLength(1);

  await answerWith(studio, `![again](${url}/one.svg)`);
  await studio.settled(2);
  await expect.poll(widthOf(studio, 'again')).toBe(7);
  expect((await site.get('requests')).toSorted()).toEqual([
    'GET /away.svg',
    'GET /none.svg',
    'GET /one.svg',
    'GET /two.svg',
  ]);

  await studio.openSettings('Permissions');
  await expect
    .element(page.getByRole('dialog'))
    .toContainText(`Images from ${await other.get('host')}, in every thread`);
  await expect.element(page.getByRole('table', { name: 'Network activity' })).toContainText('Image in an answer, in “');
  await page.getByRole('button', { name: new RegExp(`^Revoke: Images from ${host}, in “`) }).click();
  await keyboard.press('Escape');
  await studio.reopen();
  await expect.element(offers).toHaveLength(5);
  await answerWith(studio, `![always](${otherUrl}/three.svg)`);
  await studio.settled(3);
  await expect.poll(widthOf(studio, 'always')).toBe(7);
});

test('redirects that lead in a circle end', async ({ studio, site, other }) => {
  await site.call('redirect', '/a.svg', `${await other.get('url')}/b.svg`);
  await other.call('redirect', '/b.svg', `${await site.get('url')}/a.svg`);
  await studio.open();
  await answerWith(studio, `![round](${await site.get('url')}/a.svg)`);
  await studio.settled();
  for (let count = 0; count < 2; count++) {
    await studio.answers.getByRole('button', { name: 'Load image' }).click();
    await question.getByRole('button', { name: 'Always load' }).click();
  }
  await expect.element(studio.answers).toContainText('it redirects too many times.');
  expect(await site.get('requests')).toHaveLength(3);
});
