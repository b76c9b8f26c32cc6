import type { Page } from '@playwright/test';
import type { TestBench } from '../lib/bench.ts';
import { expect, test } from '../lib/fixtures.ts';
import { evalCall, readCall, writeCall } from '../lib/prompt.ts';
import type { StudioPage } from '../lib/studio-page.ts';

const SIZES = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
] as const;

const THEMES = ['light', 'dark'] as const;

const APP = `import { Counter } from './Counter';

// The page's title and its counter.
export function App() {
  return (
    <main>
      <h1>Hello</h1>
      <Counter start={1} />
    </main>
  );
}
`;

const WRITTEN = APP.replace('<h1>Hello</h1>', '<h1>Hello, Roundtrip</h1>').replace('start={1}', 'start={2}');

const FILES = {
  '/README.md': '# Example\n\nA small project.\n',
  '/src/App.tsx': APP,
  '/src/Counter.tsx': 'export const Counter = ({ start }: { start: number }) => <output>{start}</output>;\n',
};

const LONG_ANSWER = `## What I found

The loop runs once too often. This is the part that matters:

\`\`\`ts
for (let index = 0; index <= items.length; index++) {
  total += items[index]?.price ?? 0; // reads past the end
}
\`\`\`

| Case | Before | After |
| --- | ---: | ---: |
| Empty list | 0 | 0 |
| Three items | NaN | 42 |

- The condition is now \`index < items.length\`.
- A test covers the empty list.

> Nothing else in the file changes.
`;

/** Everything that shows a time shows the same one. */
const stopClock = (page: Page) => page.clock.setFixedTime(new Date('2026-11-24T10:30:00Z'));

/** The time without changes after which a document counts as settled, in milliseconds. */
const QUIET_MS = 300;

/** Waits until the document has settled. Two equal frames are not enough: editors work between frames. */
const documentSettled = (page: Page) =>
  page.evaluate(
    (quietMs) =>
      new Promise<void>((resolve) => {
        let timer: ReturnType<typeof setTimeout> | undefined;
        const observer = new MutationObserver(restart);
        function restart() {
          clearTimeout(timer);
          timer = setTimeout(() => {
            observer.disconnect();
            resolve();
          }, quietMs);
        }
        observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
        restart();
      }),
    QUIET_MS,
  );

/** Compares the page with its stored view once nothing moves and nothing is under the pointer. */
async function look(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.fonts.ready);
  await documentSettled(page);
  await expect(page).toHaveScreenshot(`${name}.png`, {
    // The times that calls take differ from run to run.
    mask: [page.locator('[data-duration]')],
  });
}

/** A conversation in which a file was read and changed, and another one was not there. */
async function converse(studio: StudioPage, bench: TestBench): Promise<void> {
  const question = 'Change the title in App.tsx';
  bench.model.script(question, [
    { text: 'First I’ll look at the files.', calls: [...readCall('/src/App.tsx'), ...readCall('/src/Main.tsx')] },
    { calls: writeCall('/src/App.tsx', WRITTEN) },
    { text: 'I’ve changed the title to “Hello, Roundtrip”, and the counter starts at **2** now.' },
  ]);
  await studio.say(question);
  await studio.settled();
}

async function openApp(studio: StudioPage): Promise<void> {
  await studio.files.getByRole('treeitem', { name: 'App.tsx' }).click();
  await expect(studio.editor.locator('.view-lines')).toContainText('import', { timeout: 20_000 });
}

test.use({ reducedMotion: 'reduce' });

for (const colorScheme of THEMES) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });
    for (const size of SIZES) {
      test(`a conversation at ${size.width}`, async ({ studio, bench, page }) => {
        await stopClock(page);
        await page.setViewportSize(size);
        await studio.open({ files: FILES });
        await converse(studio, bench);
        if (size.width >= 1280) await openApp(studio);
        await look(page, `conversation-${size.width}-${colorScheme}`);
      });
    }

    for (const size of [SIZES[0], SIZES[4]]) {
      test(`an answer being written at ${size.width}`, async ({ studio, bench, page }) => {
        await stopClock(page);
        await page.setViewportSize(size);
        const [begun] = LONG_ANSWER.split('| Case');
        const gate = crypto.randomUUID();
        bench.model.script('What is wrong?', [
          { calls: readCall('/src/App.tsx') },
          { text: LONG_ANSWER, hold: { after: begun?.length ?? 0, gate } },
        ]);
        await studio.open({ files: FILES });
        await studio.say('What is wrong?');
        await expect(page.getByRole('article', { name: 'Assistant' }).last()).toContainText('reads past the end');
        await expect(page.locator('.code-token').first()).toBeVisible();
        await look(page, `busy-${size.width}-${colorScheme}`);
        bench.model.open(gate);
        await studio.settled();
      });
    }

    test('a question about code', async ({ studio, bench, page }) => {
      await stopClock(page);
      bench.model.script('Sum the primes', [
        {
          text: 'I’ll compute that.',
          calls: evalCall('const primes = [2, 3, 5, 7];\nprimes.reduce((sum, prime) => sum + prime, 0)'),
        },
      ]);
      await studio.open();
      await studio.say('Sum the primes');
      await expect(studio.allowOnce).toBeVisible();
      await expect(page.locator('.code-token').first()).toBeVisible();
      await look(page, `question-${colorScheme}`);
    });

    test('a review of a change', async ({ studio, bench, page }) => {
      await stopClock(page);
      bench.model.script('Change it', [
        { calls: readCall('/src/App.tsx') },
        { calls: writeCall('/src/App.tsx', WRITTEN) },
        { text: 'Done.' },
      ]);
      await studio.open({ files: FILES });
      await studio.toggleTool('Review changes before they’re written');
      await studio.say('Change it');
      await page.getByRole('button', { name: 'Review changes…' }).click();
      await expect(page.getByRole('region', { name: 'Review: /src/App.tsx' })).toBeVisible();
      // Compared; until then, all lines are shown.
      await expect(studio.editor.locator('.line-insert').first()).toBeVisible({ timeout: 20_000 });
      await look(page, `review-${colorScheme}`);
    });

    test('a long answer, and an error', async ({ studio, bench, page }) => {
      await stopClock(page);
      bench.model.script('What is wrong?', [{ text: LONG_ANSWER }]);
      bench.model.script('Fix it', [[{ status: 500, message: 'Server on fire' }]]);
      await studio.open({ isWorkspaceShown: false });
      await studio.say('What is wrong?');
      await studio.settled();
      await studio.say('Fix it');
      await studio.settled(2);
      await expect(page.locator('.code-token').first()).toBeVisible();
      await look(page, `answer-${colorScheme}`);
    });

    test('the palette', async ({ studio, page }) => {
      await stopClock(page);
      await studio.open({ files: FILES });
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill('count');
      await expect(page.getByText('Text in files')).toBeVisible();
      await look(page, `palette-${colorScheme}`);
    });

    for (const section of ['General', 'Models', 'Permissions', 'Shortcuts']) {
      test(`settings: ${section}`, async ({ studio, page }) => {
        await stopClock(page);
        await studio.open();
        await studio.openSettings(section);
        await look(page, `settings-${section.toLowerCase()}-${colorScheme}`);
      });
    }
  });
}

for (const size of SIZES) {
  for (const [locale, colorScheme] of [
    ['en', 'light'],
    ['zh-CN', 'dark'],
  ] as const) {
    test.describe(locale, () => {
      test.use({ locale, colorScheme });

      test(`an empty thread at ${size.width}`, async ({ page }) => {
        await stopClock(page);
        await page.setViewportSize(size);
        await page.goto('/');
        await expect(page.getByRole('textbox')).not.toHaveCount(0);
        await look(page, `empty-${size.width}-${locale}-${colorScheme}`);
      });
    });
  }
}

/** Shows what is on the page in Chinese. */
async function speakChinese(studio: StudioPage, page: Page): Promise<void> {
  await studio.openSettings('General');
  await page.getByRole('combobox', { name: 'Language' }).click();
  await page.getByRole('option', { name: '简体中文' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

for (const [size, colorScheme] of [
  [SIZES[0], 'light'],
  [SIZES[4], 'dark'],
] as const) {
  test.describe(`in Chinese at ${size.width}`, () => {
    test.use({ colorScheme });

    test.beforeEach(async ({ page }) => stopClock(page));

    test('a conversation', async ({ studio, bench, page }) => {
      await studio.open({ files: FILES });
      await converse(studio, bench);
      await speakChinese(studio, page);
      await page.setViewportSize(size);
      await look(page, `conversation-${size.width}-zh-CN-${colorScheme}`);
    });

    test('a question about a change', async ({ studio, bench, page }) => {
      bench.model.script('Change it', [
        { calls: readCall('/src/App.tsx') },
        { calls: writeCall('/src/App.tsx', WRITTEN) },
      ]);
      await studio.open({ files: FILES });
      await studio.toggleTool('Review changes before they’re written');
      await studio.say('Change it');
      await expect(page.getByRole('button', { name: 'Review changes…' })).toBeVisible();
      await speakChinese(studio, page);
      await page.setViewportSize(size);
      await look(page, `question-${size.width}-zh-CN-${colorScheme}`);
    });

    test('the settings', async ({ studio, page }) => {
      await studio.open();
      await speakChinese(studio, page);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill('权限');
      await page.keyboard.press('Enter');
      await page.setViewportSize(size);
      await look(page, `settings-${size.width}-zh-CN-${colorScheme}`);
    });
  });
}
