import type { Page } from '@playwright/test';
import { expect, test } from './lib/fixtures.ts';

test('Back closes what lies over the page before it changes the page', async ({ studio, bench, page }) => {
  bench.model.script('One', [{ text: 'First.' }]);
  bench.model.script('Two', [{ text: 'Second.' }]);
  await studio.open({ settings: { defaultModel: 'scripted' } });
  await studio.say('One');
  await studio.settled();
  await page.getByRole('button', { name: 'New thread', exact: true }).click();
  await studio.say('Two');
  await expect(studio.answers.last()).toContainText('Second.');
  const second = page.url();
  // As if by the browser's button. Playwright waits for a navigation that does not happen.
  const goBack = () => page.goBack({ timeout: 1_000 }).catch(() => null);

  const settings = page.getByRole('dialog', { name: 'Settings' });
  await studio.openSettings('General');
  await goBack();
  await expect(settings).toBeHidden();
  expect(page.url()).toBe(second);

  await page.keyboard.press('Control+k');
  const palette = page.getByRole('combobox', { name: 'Command palette' });
  await expect(palette).toBeVisible();
  await goBack();
  await expect(palette).toBeHidden();
  expect(page.url()).toBe(second);

  await goBack();
  await expect.poll(() => page.url()).not.toBe(second);
});

/** Tells whether the entry of the history before this one belongs to the same page. */
const staysOnBack = () => {
  const index = window.navigation?.currentEntry?.index ?? 0;
  return window.navigation?.entries()[index - 1]?.sameDocument === true;
};

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test('Back closes a dialog on the first page of the tab', async ({ studio, page }) => {
    await studio.open({ settings: { defaultModel: 'scripted' } });
    const settings = page.getByRole('dialog', { name: 'Settings' });
    const threads = page.getByRole('tab', { name: 'Threads', exact: true });
    for (const attempt of ['first', 'second']) {
      await threads.tap();
      await studio.openSettings('General');
      // The code that cares for Back is loaded once the page is idle.
      await expect.poll(() => page.evaluate(staysOnBack), attempt).toBe(true);
      await page.goBack({ timeout: 1_000 }).catch(() => null);
      await expect(settings, attempt).toBeHidden();
      await expect(threads, attempt).toBeVisible();
    }
  });
});

test.describe('in a low window', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 844, height: 390 } });

  test('all of a menu, and of the panel of tools, can be reached', async ({ studio, page }) => {
    await studio.open({
      settings: { defaultModel: 'scripted' },
      files: { '/a.txt': 'a', '/b.txt': 'b', '/c.txt': 'c' },
    });
    await studio.openTools();
    for (const name of ['Browser', 'Review changes before they’re written']) {
      const control = studio.toolsPanel.getByRole('switch', { name });
      await control.scrollIntoViewIfNeeded();
      await expect(control).toBeInViewport({ ratio: 0.95 });
    }
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Files', exact: true }).tap();
    for (const file of ['a.txt', 'c.txt']) {
      await page.getByRole('button', { name: `Options for /${file}`, exact: true }).tap();
      const entries = page.getByRole('menuitem');
      for (const entry of [entries.first(), entries.last()]) {
        await entry.scrollIntoViewIfNeeded();
        await expect(entry).toBeInViewport({ ratio: 0.95 });
      }
      await page.keyboard.press('Escape');
    }
  });
});

test('where a browser denies its storage, the studio works in memory, and says so', async ({ studio, page }) => {
  studio.expectedProblems.push('denied');
  await page.addInitScript(() => {
    const denied = () => new DOMException('Access is denied for this document.', 'SecurityError');
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get: () => {
          throw denied();
        },
      });
    IDBFactory.prototype.open = () => {
      throw denied();
    };
    LockManager.prototype.request = () => Promise.reject(denied());
  });
  await page.goto('/');
  await expect(page.getByText('The studio can’t store data in this browser')).toBeVisible();
  await studio.choose('Model', 'scripted');
  await studio.say('hello');
  await expect(studio.answers).toContainText('hello', { ignoreCase: true });
});

const attach = (on: Page, name: string) =>
  on
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(name) });
const draftOf = async (on: Page, text: string, files: readonly string[]) => {
  await expect(on.getByRole('textbox', { name: 'Message', exact: true })).toHaveValue(text);
  for (const name of files) await expect(on.getByRole('button', { name: `Remove ${name}` })).toBeVisible();
  await expect(on.getByRole('button', { name: /^Remove / })).toHaveCount(files.length);
};
/** Waits until so many files of drafts are in the browser's database. */
const storedFiles = (on: Page, count: number) =>
  expect
    .poll(() =>
      on.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const opening = indexedDB.open('roundtrip-studio:draft-files');
            opening.onupgradeneeded = () => opening.transaction?.abort();
            opening.onerror = () => resolve(0);
            opening.onsuccess = () => {
              const counting = opening.result.transaction('files').objectStore('files').count();
              counting.onsuccess = () => {
                opening.result.close();
                resolve(counting.result);
              };
            };
          }),
      ),
    )
    .toBe(count);

test('a draft, with its files, survives a reload, and the end of its tab', async ({ studio, page, context }) => {
  await studio.open({ settings: { defaultModel: 'scripted' } });
  await studio.message.fill('Look at this');
  await attach(page, 'notes.txt');
  await draftOf(page, 'Look at this', ['notes.txt']);
  await storedFiles(page, 1);
  await page.reload();
  await draftOf(page, 'Look at this', ['notes.txt']);

  // A tab beside it begins empty.
  const beside = await context.newPage();
  await beside.goto('/');
  await draftOf(beside, '', []);
  await beside.getByRole('textbox', { name: 'Message', exact: true }).fill('Of the second tab');
  await beside.close({ runBeforeUnload: true });
  await page.reload();
  await draftOf(page, 'Look at this', ['notes.txt']);

  await page.close({ runBeforeUnload: true });
  const later = await context.newPage();
  await later.goto('/');
  await draftOf(later, 'Look at this', ['notes.txt']);
  // It belongs to that tab now.
  const another = await context.newPage();
  await another.goto('/');
  await draftOf(another, '', []);
});

test('drafts of threads that are not shown, and drafts of files alone, survive the end of their tab', async ({
  studio,
  bench,
  page,
  context,
}) => {
  bench.model.script('One', [{ text: 'First.' }]);
  await studio.open({ settings: { defaultModel: 'scripted' } });
  await studio.say('One');
  await studio.settled();
  await studio.message.fill('Of the first thread');
  await page.getByRole('button', { name: 'New thread', exact: true }).click();
  await attach(page, 'alone.txt');
  await draftOf(page, '', ['alone.txt']);
  await storedFiles(page, 1);
  await page.close({ runBeforeUnload: true });

  const later = await context.newPage();
  await later.goto('/');
  await draftOf(later, '', ['alone.txt']);
  await later.getByRole('navigation', { name: 'Threads' }).getByRole('link', { name: 'One' }).click();
  await draftOf(later, 'Of the first thread', []);
});
