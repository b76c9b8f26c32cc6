// More than 400 lines: one suite for everything that can be wrong with what people give the studio.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { runNode } from '#scripts/lib/run.ts';
import { expect, test } from './lib/fixtures.ts';
import { evalCall, prompt } from './lib/prompt.ts';
import type { ScriptedTurn } from './lib/scripted-model.ts';
import type { StudioPage } from './lib/studio-page.ts';

test.describe('a failing model shows the reason at the turn, keeps the message, and answers a retry', () => {
  const tooLong = { status: 400, message: 'This model’s maximum context length is 4096 tokens.' };
  const cases: { name: string; failures: ScriptedTurn[]; words: string; detail: string; isModels?: boolean }[] = [
    {
      name: 'a server error',
      failures: [{ status: 500, message: 'The GPU is on fire' }],
      words: 'returned an error. Retry, or choose another model',
      detail: 'The GPU is on fire',
    },
    {
      name: 'a model the endpoint does not have',
      failures: [{ status: 404, message: 'The model `scripted` does not exist' }],
      words: 'doesn’t have this model. Choose another one',
      detail: 'The model `scripted` does not exist',
    },
    {
      name: 'a context that is too long, shortened once in vain',
      failures: [tooLong, tooLong],
      words: 'Start a new thread, shorten the message, or choose a model with a larger context',
      detail: tooLong.message,
    },
    {
      name: 'an empty reply, twice',
      failures: [{ text: '' }, { text: '' }],
      words: 'sent an empty answer twice. Retry',
      detail: 'empty reply',
      // An examination may say why.
      isModels: true,
    },
  ];
  for (const { name, failures, words, detail, isModels = false } of cases) {
    test(name, async ({ studio, bench, page }) => {
      const question = prompt('Ask');
      bench.model.script(question, [[...failures, { text: 'Now it works.' }]]);
      await studio.open();
      await studio.say(question);
      const alert = studio.answers.getByRole('alert');
      await expect(alert).toContainText(words);
      await expect(alert).toContainText(detail);
      await expect(page.getByRole('article', { name: 'You' })).toContainText(question);
      await expect(studio.message).toBeEditable();
      expect(bench.model.requestsFor(question)).toHaveLength(failures.length);
      await expect(alert.getByRole('button', { name: 'Model settings…' })).toHaveCount(isModels ? 1 : 0);
      await alert.getByRole('button', { name: 'Retry' }).click();
      await studio.settled();
      await expect(studio.answers).toContainText('Now it works.');
      await expect(alert).toBeHidden();
    });
  }
});

test('if the context is too long, a button starts a new thread', async ({ studio, bench, page }) => {
  const [question, next] = [prompt('Ask'), prompt('Ask less')];
  bench.model.script(question, [{ status: 400, message: 'prompt is too long' }]);
  bench.model.script(next, [{ text: 'Short enough.' }]);
  await studio.open();
  await studio.say(question);
  await studio.answers.getByRole('button', { name: 'New thread' }).click();
  await expect(studio.answers).toBeHidden();
  await studio.say(next);
  await expect(studio.answers).toContainText('Short enough.');
  await studio.threads.getByRole('link', { name: question }).click();
  await expect(page.getByRole('article', { name: 'You' })).toContainText(question);
});

test.describe('an unusable model can be changed at the turn, and the same message is answered', () => {
  const cases: { name: string; model: string; failure?: ScriptedTurn; words: string; expected?: string }[] = [
    {
      name: 'a wrong key',
      model: 'scripted',
      failure: { status: 401, message: 'Incorrect API key provided' },
      words: 'rejected the API key. Replace it',
    },
    {
      name: 'a missing key',
      model: 'no-key',
      words: 'Set NO_SUCH_KEY in the server’s environment and restart it',
      expected: 'status of 400',
    },
    {
      name: 'an unreachable endpoint',
      model: 'unreachable',
      words: 'Can’t reach the model’s server. Check that it’s running',
    },
  ];
  for (const { name, model, failure, words, expected } of cases) {
    test(name, async ({ studio, bench, page }) => {
      const question = prompt('Ask');
      const answer = { text: 'The other one answers.' };
      bench.model.script(question, [failure === undefined ? answer : [failure, answer]]);
      if (expected !== undefined) studio.expectedProblems.push(expected);
      await studio.open({ model });
      await studio.say(question);
      await expect(studio.answers.getByRole('alert')).toContainText(words);
      await expect(page.getByRole('article', { name: 'You' })).toContainText(question);
      await chooseAnother(studio, 'small-context');
      await studio.answers.getByRole('button', { name: 'Retry' }).click();
      await studio.settled();
      await expect(studio.answers).toContainText('The other one answers.');
      expect(bench.model.requestsFor(question).at(-1)?.model).toBe('small-context');
    });
  }
});

test.describe('models that come and go', () => {
  /** Whatever is being loaded when the server goes away: acknowledgements, and code for later. */
  const SERVER_AWAY = ['Failed to load resource'];

  test('without any model, the two ways to get one are shown, and the question is answered once there is one', async ({
    studio,
    page,
    startBench,
  }) => {
    const own = await startBench({ DEMO_MODEL: 'false', MODELS_FILE: join(tmpdir(), 'no-such-models.yaml') });
    const question = prompt('Is anybody there?');
    own.model.script(question, [{ text: 'Now I am.' }]);
    studio.expectedProblems.push(...SERVER_AWAY);
    await page.goto(own.url);
    await expect(page.getByText('No model is set up yet')).toBeVisible();
    await expect(page.getByText('Use a model on this computer')).toBeVisible();
    await expect(page.getByText('Use a provider’s API key')).toBeVisible();
    await expect(page.getByText('Only the demo is available')).toBeHidden();
    await expect(page.getByRole('combobox', { name: 'Model', exact: true })).toContainText('No models found');
    await studio.say(question);
    await expect(studio.answers.getByRole('alert')).toContainText('No model is available. Connect one');
    await expect(page.getByRole('article', { name: 'You' })).toContainText(question);
    await own.restartStudio({ DEMO_MODEL: 'false' });
    await studio.answers.getByRole('button', { name: 'Retry' }).click();
    await studio.settled();
    await expect(studio.answers).toContainText('Now I am.');
  });

  test('a thread whose model is gone says so, and continues with another one', async ({ studio, page, startBench }) => {
    const own = await startBench();
    const [first, second] = [prompt('Hello'), prompt('Still there?')];
    own.model.script(first, [{ text: 'Hello.' }]);
    own.model.script(second, [{ text: 'I took over.' }]);
    studio.expectedProblems.push(...SERVER_AWAY);
    await page.goto(own.url);
    await studio.choose('Model', 'small-context');
    await studio.say(first);
    await studio.settled();
    await own.stopStudio();
    const rest = `models:\n  - { id: other, name: other, provider: local, model: scripted, baseURL: ${own.model.url} }\n`;
    writeFileSync(join(own.folder, 'models.yaml'), rest);
    await own.startStudio();
    await page.reload();
    await expect(page.getByRole('combobox', { name: 'Model', exact: true })).toContainText(
      'Not available: small-context',
    );
    await studio.say(second);
    await expect(studio.answers.last().getByRole('alert')).toContainText('no longer available. Choose another one');
    await chooseAnother(studio, 'other');
    await studio.answers.last().getByRole('button', { name: 'Retry' }).click();
    await studio.settled(2);
    await expect(studio.answers.last()).toContainText('I took over.');
    expect(own.model.requestsFor(second)[0]?.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
    ]);
  });
});

test.describe('a message of 2 MB', () => {
  test.slow();

  test('exactly at the limit reaches the model completely', async ({ studio, bench }) => {
    const question = ofLength(2_000_000);
    bench.model.script(question, [{ text: 'I have read it all.' }]);
    // One whose window is not known, so that only the server's limit counts.
    await studio.open({ model: 'small-context' });
    await paste(studio, question);
    await studio.message.press('Enter');
    await expect(studio.answers).toContainText('I have read it all.', { timeout: 60_000 });
    await expect(studio.page.getByRole('button', { name: 'Show all 2,000,000 characters' })).toBeVisible();
  });

  test('longer than the limit is rejected with a message, stays, and is sent once shortened', async ({
    studio,
    bench,
    page,
  }) => {
    const question = ofLength(2 * 1024 * 1024);
    const shorter = prompt('In short');
    bench.model.script(shorter, [{ text: 'That I can read.' }]);
    studio.expectedProblems.push('status of 413');
    await studio.open();
    await paste(studio, question);
    await studio.message.press('Enter');
    const alert = studio.answers.getByRole('alert');
    await expect(alert).toContainText('too long to send. Edit it to make it shorter', { timeout: 60_000 });
    await expect(alert).toContainText('the limit is 2000000');
    const own = page.getByRole('article', { name: 'You' });
    await own.hover();
    await own.getByRole('button', { name: 'Edit', exact: true }).click();
    const editor = page.getByRole('textbox', { name: 'Edit message' });
    expect((await editor.inputValue()) === question, 'all of the message is there to be edited').toBe(true);
    await editor.fill(shorter);
    await own.getByRole('button', { name: 'Send' }).click();
    await expect(studio.answers).toContainText('That I can read.');
  });

  const ofLength = (length: number): string =>
    `${prompt('Read this.')} `.padEnd(length, 'All work and no play. ').replace(/ $/, '.');

  /** Sets the text as if the user had pasted it; real typing of this much takes minutes. */
  async function paste({ page, message }: StudioPage, text: string): Promise<void> {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate((value) => navigator.clipboard.writeText(value), text);
    await message.press('Control+V');
    await expect.poll(async () => (await message.inputValue()).length, { timeout: 60_000 }).toBe(text.length);
  }
});

test('attachments far above the maximum request size are sent once, and their thread can always continue', async ({
  studio,
  page,
  startBench,
}) => {
  test.slow();
  const own = await startBench();
  const [question, edited, next] = [prompt('Look at these'), prompt('Check again'), prompt('And now?')];
  for (const asked of [question, edited, next]) own.model.script(asked, [{ text: 'I see four pictures.' }]);
  studio.expectedProblems.push('Failed to load resource');
  let uploaded = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/contents')) uploaded += request.postDataBuffer()?.length ?? 0;
  });
  await page.goto(own.url);
  await studio.choose('Model', 'scripted');
  const files = Array.from({ length: 4 }, (_, n) => ({
    name: `${n}.png`,
    mimeType: 'image/png',
    buffer: Buffer.alloc(7_900_000, `picture ${n}`),
  }));
  await page.locator('input[type=file]').first().setInputFiles(files);
  await expect(page.getByRole('button', { name: 'Remove 3.png' })).toBeVisible();
  await studio.say(question);
  await studio.settled(1, { timeout: 60_000 });
  const once = uploaded;
  expect(once).toBeGreaterThan(4 * 7_900_000);
  await page.getByRole('button', { name: 'Regenerate' }).click();
  await studio.settled(2, { timeout: 60_000 });
  const message = page.getByRole('article', { name: 'You' });
  await message.hover();
  await message.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Edit message' }).fill(edited);
  await page.getByRole('textbox', { name: 'Edit message' }).press('Enter');
  await studio.settled(3, { timeout: 60_000 });
  expect(uploaded, 'nothing was sent again').toBe(once);
  // A server that has lost everything requests all of it once more.
  await own.stopStudio('SIGKILL');
  own.forgetCheckpoints();
  await own.startStudio();
  await studio.say(next);
  await studio.settled(4, { timeout: 60_000 });
  await expect(studio.answers.last()).toContainText('I see four pictures.');
  expect(own.model.requestsFor(next)).toHaveLength(1);
});

test.describe('storage', () => {
  for (const { locale, title, reload } of [
    { locale: 'en-US', title: 'This browser doesn’t let the studio store anything', reload: 'Reload page' },
    { locale: 'zh-CN', title: '此浏览器不允许工作室存储数据', reload: '重新加载页面' },
  ]) {
    test(`that cannot be opened is reported in the browser’s language, the studio continues in memory, and a reload keeps (${locale})`, async ({
      browser,
      bench,
    }) => {
      const context = await browser.newContext({ baseURL: bench.url, locale });
      const page = await context.newPage();
      // As in a private window: the first visit has no storage, the one after changing the setting does.
      await page.addInitScript(() => {
        if (sessionStorage.getItem('visited') !== null) return;
        sessionStorage.setItem('visited', 'yes');
        IDBFactory.prototype.open = () => {
          throw new DOMException('Storage is blocked here.', 'SecurityError');
        };
      });
      await page.goto('/');
      await expect(page.getByRole('heading', { name: title })).toBeVisible();
      await expect(page.getByText('IndexedDB')).toBeVisible();
      await expect(page.getByText('Storage is blocked here.')).toBeVisible();
      // Threads and files exist as long as the page does.
      await page.getByRole('main').getByRole('textbox').fill('1000 以内 Sum of the primes');
      await page.getByRole('button', { name: /App\.tsx/ }).click();
      await page.getByRole('treeitem', { name: 'README.md' }).click();
      await expect(page.locator('.monaco-editor .view-lines')).toContainText('Welcome', { timeout: 20_000 });
      await page.getByRole('button', { name: reload }).click();
      await expect(page.getByRole('navigation').first()).toBeVisible();
      await expect(page.getByRole('heading', { name: title })).toBeHidden();
      await context.close();
    });
  }

  test('of files from a newer version of the studio is left alone, and its pane says so', async ({ page, studio }) => {
    await page.goto('/icon.svg');
    await page.evaluate(async () => {
      const request = indexedDB.open('roundtrip-workspace', 99);
      await new Promise((resolve) => {
        request.onsuccess = resolve;
      });
      request.result.close();
    });
    await page.goto('/');
    const problem = page.getByRole('region', { name: 'Files' }).getByRole('alert');
    await expect(problem).toContainText('This thread’s files couldn’t be opened.');
    await expect(problem).toContainText(/EIO: storage failed .*version/);
    await expect(problem.getByRole('button', { name: 'Retry' })).toBeVisible();
    await expect(studio.message).toBeEditable();
  });

  test('that is full returns the message with the reason, and stores it later', async ({ studio, bench, page }) => {
    const question = prompt('Keep me');
    bench.model.script(question, [{ text: 'Kept.' }]);
    await studio.open();
    await fillStorage(page);
    await studio.say(question);
    await expect(page.getByRole('alert').filter({ hasText: 'Your message wasn’t sent' })).toContainText(
      'storage is full. Free up some space',
    );
    await expect(studio.message).toHaveValue(question);
    await page.reload();
    await expect(studio.message, 'the half-written message of this tab').toHaveValue(question);
    await studio.message.press('Enter');
    await studio.settled();
    await expect(studio.answers).toContainText('Kept.');
    await expect(page.getByText('Your message wasn’t sent')).toBeHidden();
  });

  test('that refuses anything else is reported where the user is', async ({ studio, bench, page }) => {
    const question = prompt('First');
    bench.model.script(question, [{ text: 'An answer.' }]);
    await studio.open();
    await studio.say(question);
    await studio.settled();
    const empty = await fillStorage(page);
    await studio.answers.hover();
    await studio.answers.getByRole('button', { name: 'Regenerate' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'Couldn’t save' });
    await expect(alert).toContainText('storage is full. Free up some space');
    await expect(studio.answers).toContainText('An answer.');
    await empty();
    await alert.getByRole('button', { name: 'Close' }).click();
    await expect(alert).toBeHidden();
    await studio.answers.getByRole('button', { name: 'Regenerate' }).click();
    await studio.settled(2);
  });

  test('that fills up during an answer is reported at the turn, and a retry stores the answer without asking again', async ({
    studio,
    bench,
    page,
  }) => {
    const question = prompt('Tell me something long');
    bench.model.script(question, [{ text: 'It is long.', hold: { after: 5, gate: question } }]);
    await studio.open();
    await studio.say(question);
    await expect(studio.answers).toContainText('It is');
    const empty = await fillStorage(page);
    bench.model.open(question);
    const alert = studio.answers.getByRole('alert');
    await expect(alert).toContainText('storage is full. Free up some space');
    await expect(studio.answers).toContainText('It is long.');
    const tries = await refusedWrites(page);
    await alert.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => refusedWrites(page), 'a retry that finds it still full').toBeGreaterThan(tries);
    await expect(alert).toContainText('storage is full. Free up some space');
    await empty();
    await alert.getByRole('button', { name: 'Retry' }).click();
    await studio.settled();
    await page.reload();
    await expect(studio.answers).toContainText('It is long.');
    await expect(alert).toBeHidden();
    expect(bench.model.requestsFor(question)).toHaveLength(1);
  });
});

test('[R1] a result that cannot be stored is not sent until it is, and does not change', async ({
  studio,
  bench,
  page,
}) => {
  const question = prompt('Write slowly');
  const code = 'await vfs.writeFile("/a.txt", "written"); await new Promise((r) => setTimeout(r, 2000)); "all done"';
  bench.model.script(question, [{ calls: evalCall(code) }, { text: 'It was written.' }]);
  await studio.open();
  await studio.say(question);
  await studio.allow.click();
  await expect(page.getByRole('treeitem', { name: 'a.txt' })).toBeVisible();
  const empty = await fillStorage(page);
  const alert = studio.answers.getByRole('alert');
  await expect(alert).toContainText('storage is full');
  await expect(alert.getByRole('button', { name: 'Free up space…' })).toBeVisible();
  expect(bench.model.requestsFor(question), 'nothing was sent on').toHaveLength(1);
  await empty();
  await alert.getByRole('button', { name: 'Retry' }).click();
  await studio.settled();
  await expect(studio.answers).toContainText('It was written.');
  expect(bench.model.requestsFor(question)[1]?.messages.at(-1)?.content).toBe('all done');
  await page.reload();
  await expect(studio.call('browser_js_eval')).toHaveAttribute('data-state', 'done');
});

test.describe('a view that breaks says so in its place, and the rest keeps working', () => {
  test('because of its own error', async ({ studio, bench, page }) => {
    const question = prompt('Continue');
    bench.model.script(question, [{ text: 'The chat goes on.' }]);
    // The other errors are left over from the half-created editor.
    studio.expectedProblems.push('EditContext is broken here', 'setClassName', 'domNode');
    // Only the editor uses it, and only once a file is opened.
    await page.addInitScript(() => {
      const { EditContext } = globalThis as unknown as { EditContext: unknown };
      const broken = function EditContext() {
        throw new Error('EditContext is broken here');
      };
      Object.assign(globalThis, {
        EditContext: broken,
        mendEditContext: () => Object.assign(globalThis, { EditContext }),
      });
    });
    await studio.open({ files: { '/a.txt': 'alpha' } });
    await studio.files.getByRole('treeitem', { name: 'a.txt' }).click();
    await expectBrokenEditor(studio);
    await expect(studio.editor.getByRole('alert')).toContainText('EditContext is broken here');
    await studio.say(question);
    await studio.settled();
    await expect(studio.answers).toContainText('The chat goes on.');
    await page.evaluate(() => (globalThis as unknown as { mendEditContext(): void }).mendEditContext());
    await studio.editor.getByRole('button', { name: 'Try again' }).click();
    await expect(studio.editor.locator('.view-lines')).toContainText('alpha', { timeout: 20_000 });
  });

  test('because its code cannot be loaded', async ({ studio, bench, page }) => {
    const question = prompt('Continue');
    bench.model.script(question, [{ text: 'The chat goes on.' }]);
    studio.expectedProblems.push('Failed to load', 'ERR_FAILED', 'ChunkLoadError');
    await studio.open({ files: { '/a.txt': 'alpha' } });
    // Preloaded code is there, so only the editor's code is missing from here on.
    await page.waitForLoadState('networkidle');
    await page.route('**/_next/static/**', (route) => route.abort());
    await studio.files.getByRole('treeitem', { name: 'a.txt' }).click();
    await expectBrokenEditor(studio);
    await studio.say(question);
    await studio.settled();
    await expect(studio.answers).toContainText('The chat goes on.');
    await page.unroute('**/_next/static/**');
    await studio.editor.getByRole('button', { name: 'Try again' }).click();
    await expect(studio.editor.locator('.view-lines')).toContainText('alpha', { timeout: 20_000 });
  });
});

test.describe('a start with an invalid configuration fails with the position and the reason', () => {
  const files: { name: string; yaml: string; says: RegExp }[] = [
    {
      name: 'a models.yaml that is no YAML',
      yaml: 'models:\n  - id: a\n    provider: openai\n   model: b\n',
      says: /models\.yaml:4: \S+/,
    },
    {
      name: 'a field that does not exist',
      yaml: 'models:\n  - provider: openai\n    model: a\n    apiKey: sk-never-here\n',
      says: /models\.yaml:4: models\[0\]: .*apiKey/,
    },
    {
      name: 'a provider that does not exist',
      yaml: 'models:\n  - model: a\n    provider: opnai\n',
      says: /models\.yaml:3: models\[0\]\.provider: .*openai/,
    },
    {
      name: 'a model listed twice',
      yaml: 'models:\n  - { provider: openai, model: a }\n  - { provider: openai, model: a }\n',
      says: /models\.yaml:3: models\[1\]\.id: .*listed twice/,
    },
  ];
  for (const { name, yaml, says } of files) {
    test(name, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'roundtrip-'));
      try {
        writeFileSync(join(folder, 'models.yaml'), yaml);
        await expectRefusal({ MODELS_FILE: join(folder, 'models.yaml') }, says);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }

  const variables: { env: Record<string, string>; says: RegExp }[] = [
    { env: { LOG_LEVEL: 'loud' }, says: /LOG_LEVEL=loud: .*silent/ },
    { env: { AGENT_MAX_STEPS: '0' }, says: /AGENT_MAX_STEPS=0: .*1/ },
    { env: { DEMO_MODEL: 'maybe' }, says: /DEMO_MODEL=maybe: must be true or false/ },
    { env: { LLM_PROVIDER: 'opnai' }, says: /LLM_PROVIDER=opnai: must be one of openai, / },
    {
      env: { OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: 'localhost:8000' },
      says: /OPENAI_BASE_URL=localhost:8000: must be an http/,
    },
  ];
  for (const { env, says } of variables) {
    test(Object.keys(env).at(-1) ?? '', () => expectRefusal(env, says));
  }
});

/** Uses the action that the turn offers. */
async function chooseAnother(studio: StudioPage, model: string): Promise<void> {
  await studio.answers.last().getByRole('button', { name: 'Choose another model' }).click();
  await studio.page
    .getByRole('dialog')
    .getByRole('option', { name: new RegExp(`^${model}( |$)`) })
    .click();
  await expect(studio.page.getByRole('combobox', { name: 'Model', exact: true })).toContainText(model);
}

async function expectBrokenEditor(studio: StudioPage): Promise<void> {
  const alert = studio.editor.getByRole('alert');
  await expect(alert).toContainText('This part of the studio stopped working. The rest still works', {
    timeout: 20_000,
  });
  await expect(alert.getByRole('button', { name: 'Copy details' })).toBeVisible();
}

/** Makes this page's database refuse to store anything until the returned function is called. */
async function fillStorage(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    const storage = { refused: 0, empty: () => Object.assign(IDBObjectStore.prototype, { put }) };
    IDBObjectStore.prototype.put = () => {
      storage.refused++;
      throw new DOMException('There is no space left.', 'QuotaExceededError');
    };
    Object.assign(globalThis, { fullStorage: storage });
  });
  return () => page.evaluate(() => (globalThis as unknown as { fullStorage: { empty(): void } }).fullStorage.empty());
}

/** How often the full database was asked to store something. */
const refusedWrites = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as { fullStorage: { refused: number } }).fullStorage.refused);

/** Runs what `npm start` runs. */
async function expectRefusal(env: Record<string, string>, says: RegExp): Promise<void> {
  const { code, output } = await runNode('scripts/start.ts', [], { env, output: 'pipe' });
  expect(output).toMatch(says);
  expect(output).toContain('The studio was not started.');
  expect(output, 'words, not a stack').not.toMatch(/^\s+at /m);
  expect(code).toBe(1);
}
