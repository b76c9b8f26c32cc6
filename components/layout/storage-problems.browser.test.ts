import { describe, expect, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import { press } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { evalCall, prompt } from '#e2e/lib/prompt.ts';
import { FIRST_WORKSPACE } from '#lib/threads/thread.ts';
import { databaseName } from '#studio/workspaces.ts';

/** Makes this page's database refuse to store anything. */
function fillStorage() {
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('There is no space left.', 'QuotaExceededError');
  });
  onTestFinished(() => put.mockRestore());
  return {
    /** Returns the number of attempts to store something. */
    tries: () => put.mock.calls.length,
    /** Lets it store again. */
    empty: () => put.mockRestore(),
  };
}

describe('storage', () => {
  for (const { locale, title, reload } of [
    { locale: 'en-US', title: 'The studio can’t store data in this browser', reload: 'Reload page' },
    { locale: 'zh-CN', title: '此浏览器不允许工作室存储数据', reload: '重新加载页面' },
  ]) {
    test(`that cannot be opened is reported in the browser’s language, and the studio continues in memory (${locale})`, async ({
      studio,
    }) => {
      await studio.open({ isWorkspaceShown: false });
      for (const spy of [
        vi.spyOn(navigator, 'languages', 'get').mockReturnValue([locale]),
        vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
          throw new DOMException('Storage is blocked here.', 'SecurityError');
        }),
      ])
        onTestFinished(() => spy.mockRestore());
      await studio.reopen();
      await expect.element(page.getByRole('heading', { name: title })).toBeVisible();
      await expect.element(page.getByText('IndexedDB')).toBeVisible();
      await expect.element(page.getByText('Storage is blocked here.')).toBeVisible();
      await expect.element(page.getByRole('button', { name: reload })).toBeVisible();
      // Threads and files exist as long as the page does.
      await page.getByRole('main').getByRole('textbox').fill('1000 以内 Sum of the primes');
      await page.getByRole('button', { name: /App\.tsx/ }).click();
      await page.getByRole('treeitem', { name: 'README.md' }).click();
      await expect.element(page.locate('.monaco-editor .view-lines'), { timeout: 15_000 }).toContainText('Welcome');
    });
  }

  test('that refuses every write is reported, and the studio continues in memory', async ({ studio }) => {
    const question = prompt('Not stored');
    await model.script(question, [{ text: 'Anyway.' }]);
    await studio.open();
    const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('Writes are refused here.', 'InvalidStateError');
    });
    onTestFinished(() => put.mockRestore());
    await studio.reopen();
    await expect
      .element(page.getByRole('heading', { name: 'The studio can’t store data in this browser' }))
      .toBeVisible();
    await studio.say(question);
    await expect.element(studio.answers.last()).toContainText('Anyway.');
  });

  test('of files from a newer version of the studio is left alone, and its pane says so', async ({ studio }) => {
    // Nobody has opened the pane: it shows itself.
    await studio.open({ isWorkspaceShown: false });
    await studio.close();
    await new Promise<void>((resolve, reject) => {
      const request = indexedDB.open(databaseName(FIRST_WORKSPACE), 99);
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        request.result.close();
        resolve();
      };
    });
    await studio.reopen();
    const problem = page.getByRole('region', { name: 'Files' }).getByRole('alert');
    await expect.element(problem).toContainText('This thread’s files couldn’t be opened.');
    await expect.element(problem).toContainText(/EIO: storage failed .*version/);
    await expect.element(problem.getByRole('button', { name: 'Retry' })).toBeVisible();
    await expect.element(studio.message).toBeEnabled();
    await expect.element(studio.message).not.toHaveAttribute('readonly');
  });

  test('that is full returns the message with the reason, and stores it later', async ({ studio }) => {
    const question = prompt('Keep me');
    await model.script(question, [{ text: 'Kept.' }]);
    await studio.open();
    const storage = fillStorage();
    await studio.say(question);
    const alert = page.getByRole('alert').filter({ hasText: 'Your message wasn’t sent' });
    await expect.element(alert).toContainText('storage is full. Delete old threads');
    await expect.element(studio.message).toHaveValue(question);
    storage.empty();
    await studio.reopen();
    // The half-written message of this tab.
    await expect.element(studio.message).toHaveValue(question);
    await press(studio.message, 'Enter');
    await studio.settled();
    await expect.element(studio.answers).toContainText('Kept.');
    await expect.element(page.getByText('Your message wasn’t sent')).not.toBeInTheDocument();
  });

  test('that refuses anything else is reported where the user is', async ({ studio }) => {
    const question = prompt('First');
    await model.script(question, [{ text: 'An answer.' }]);
    await studio.open();
    await studio.say(question);
    await studio.settled();
    const storage = fillStorage();
    await studio.answers.hover();
    await studio.answers.getByRole('button', { name: 'Regenerate' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'Couldn’t save' });
    await expect.element(alert).toContainText('storage is full. Delete old threads');
    await expect.element(studio.answers).toContainText('An answer.');
    storage.empty();
    await alert.getByRole('button', { name: 'Close' }).click();
    await expect.element(alert).not.toBeInTheDocument();
    await studio.answers.getByRole('button', { name: 'Regenerate' }).click();
    await studio.settled(2);
  });

  test('that fills up during an answer is reported at the turn, and a retry stores the answer without asking again', async ({
    studio,
  }) => {
    const question = prompt('Tell me something long');
    await model.script(question, [{ text: 'It is long.', hold: { after: 5, gate: question } }]);
    await studio.open();
    await studio.say(question);
    await expect.element(studio.answers).toContainText('It is');
    const storage = fillStorage();
    await model.open(question);
    const alert = studio.answers.getByRole('alert');
    await expect.element(alert).toContainText('storage is full. Delete old threads');
    await expect.element(studio.answers).toContainText('It is long.');
    const tries = storage.tries();
    await alert.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(storage.tries, { message: 'a retry that finds it still full' }).toBeGreaterThan(tries);
    await expect.element(alert).toContainText('storage is full. Delete old threads');
    storage.empty();
    await alert.getByRole('button', { name: 'Retry' }).click();
    await studio.settled();
    await studio.reopen();
    await expect.element(studio.answers).toContainText('It is long.');
    await expect.element(alert).not.toBeInTheDocument();
    expect(await model.requestsFor(question)).toHaveLength(1);
  });
});

test('[R1] a result that cannot be stored is not sent until it is, and does not change', async ({ studio }) => {
  const question = prompt('Write slowly');
  const code = `
    await vfs.writeFile("/a.txt", "written");
    while (!(await vfs.list("/")).some(({ name }) => name === "go-on.txt")) await new Promise((r) => setTimeout(r, 20));
    "all done"`;
  await model.script(question, [{ calls: evalCall(code) }, { text: 'It was written.' }]);
  await studio.open();
  await studio.say(question);
  await studio.allow.click();
  await expect.element(page.getByRole('treeitem', { name: 'a.txt' })).toBeVisible();
  const storage = fillStorage();
  const { workspaces, threads } = await studio.studio();
  const { fileSystem } = await workspaces.open(threads.workspaceId);
  await fileSystem.transaction({ type: 'person' }, async (tx) => tx.writeFile('/go-on.txt', new Uint8Array()));
  const alert = studio.answers.getByRole('alert');
  await expect.element(alert).toContainText('storage is full');
  await expect.element(alert.getByRole('button', { name: 'Free up space…' })).toBeVisible();
  expect(await model.requestsFor(question), 'nothing was sent on').toHaveLength(1);
  storage.empty();
  await alert.getByRole('button', { name: 'Retry' }).click();
  await studio.settled();
  await expect.element(studio.answers).toContainText('It was written.');
  expect((await model.requestsFor(question))[1]?.messages.at(-1)?.content).toBe('all done');
  await studio.reopen();
  await expect.element(studio.call('browser_js_eval')).toHaveAttribute('data-state', 'done');
});
