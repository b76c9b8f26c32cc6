import type { Locator, Page } from '@playwright/test';
import { resultContent } from '#lib/tools/core/tool-call.ts';
import { exfiltrations, intrusions } from '../lib/attacks.ts';
import { startCountingServer } from '../lib/counting-server.ts';
import { expect, test } from '../lib/fixtures.ts';
import { replaceTurns } from '../lib/prompt.ts';

/**
 * Moves the pointer to a field of the page, as a hand does, which never rests. Chromium does not always report the first
 * movement over a new frame to the studio's page.
 */
async function pointAt(page: Page, field: Locator): Promise<void> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await field.boundingBox()) ?? {};
  await page.mouse.move(x + width / 3, y + height / 2);
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 3 });
}

/**
 * Clicks in a field of the page, and again if the studio's page was not told: it takes the focus back from a page that
 * has it while the user seems to be elsewhere.
 */
const clickIn = (page: Page, field: Locator): Promise<void> =>
  expect(async () => {
    await field.click();
    await pointAt(page, field);
    await expect(field).toBeFocused({ timeout: 1000 });
  }).toPass({ timeout: 10_000 });

test('styles are replaced while the page keeps running; other changes reload it, with its storage', async ({
  studio,
  bench,
  page,
}) => {
  await studio.open({
    files: {
      '/index.html':
        '<link rel="stylesheet" href="style.css"><input aria-label="Draft"><p id="n"></p><script src="app.js"></script>',
      '/style.css': 'body { color: rgb(1, 1, 1) }',
      '/app.js':
        "localStorage.visits = Number(localStorage.visits ?? 0) + 1;\ndocument.getElementById('n').textContent = 'Visit ' + localStorage.getItem('visits');",
    },
  });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe >> nth=-1');
  await expect(preview.getByText('Visit 1')).toBeVisible();
  const draft = preview.getByRole('textbox', { name: 'Draft' });
  await clickIn(page, draft);
  await page.keyboard.type('kept');
  await expect(draft).toHaveValue('kept');
  let written = 0;
  const write = async (path: string, content: string) => {
    const prompt = `Write ${path} ${content.length}`;
    bench.model.script(prompt, [...replaceTurns(path, content), { text: 'Written.' }]);
    await studio.say(prompt);
    await expect(studio.answers.filter({ hasText: 'Written.' })).toHaveCount(++written);
  };
  await write('/style.css', 'body { color: rgb(2, 2, 2) }');
  await expect(preview.locator('body')).toHaveCSS('color', 'rgb(2, 2, 2)');
  await expect(draft).toHaveValue('kept');
  await expect(preview.getByText('Visit 1')).toBeVisible();
  await write('/other.txt', 'x');
  await write('/app.js', "document.getElementById('n').textContent = 'Still ' + localStorage.visits;");
  await expect(preview.getByText('Still 1')).toBeVisible();
  await expect(draft).toHaveValue('');
});

test('images, styles, forms, data, links, Markdown and SVGs', async ({ studio, page }) => {
  const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="9"><title>Drawn</title></svg>';
  await studio.open({
    files: {
      '/index.html':
        '<h1>Start</h1><img src="img/a.svg" alt="one"><img id="late" alt="late"><form><input name="q" value="7"><button>Go</button></form><a href="docs/about.md">About</a><a href="https://example.com/x">Away</a><output></output><script src="js/app.js" defer></script>',
      '/img/a.svg': picture,
      '/public/data.json': '{"n": 41}',
      '/docs/about.md': '# About\n\n![pic](../img/a.svg) and [home](../index.html)',
      '/js/app.js':
        "const out = document.querySelector('output');\ndocument.querySelector('form').addEventListener('submit', async (e) => { e.preventDefault(); const r = await fetch('/data.json'); out.textContent = ['Sum', (await r.json()).n + 1, r.headers.get('content-type'), (await fetch('none.json')).status].join(' '); });\ndocument.getElementById('late').src = 'img/a.svg';",
    },
  });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const pane = page.getByRole('region', { name: 'Preview' });
  const preview = pane.frameLocator('iframe >> nth=-1');
  const widths = () =>
    preview.locator('img').evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth));
  await expect.poll(widths).toEqual([7, 7]);
  await preview.getByRole('button', { name: 'Go' }).click();
  await expect(preview.getByText('Sum 42 application/json 404')).toBeVisible();
  await preview.getByRole('link', { name: 'Away' }).click();
  await preview.getByRole('link', { name: 'About' }).click();
  await expect(preview.getByRole('heading', { name: 'About' })).toBeVisible();
  await expect.poll(widths).toEqual([7]);
  await preview.getByRole('link', { name: 'home' }).click();
  await expect(preview.getByRole('heading', { name: 'Start' })).toBeVisible();
  await pane.getByRole('combobox', { name: 'Page' }).click();
  await page.getByRole('option', { name: '/img/a.svg' }).click();
  await expect(preview.locator('svg')).toBeVisible();
  await pane.getByRole('button', { name: 'Page console' }).click();
  await expect(pane.getByText('Blocked: https://example.com/x')).toBeVisible();
});

test('an endless page is ended, and the next one runs', async ({ studio, bench, page }) => {
  await studio.open({ files: { '/index.html': '<p>never</p><script>for (;;);</script>' } });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const pane = page.getByRole('region', { name: 'Preview' });
  await expect(pane).toContainText('did not finish loading within 10 seconds', { timeout: 20_000 });
  bench.model.script('Mend it', [...replaceTurns('/index.html', '<p>mended</p>'), { text: 'Mended.' }]);
  await studio.say('Mend it');
  await expect(pane.frameLocator('iframe >> nth=-1').getByText('mended')).toBeVisible();
});

test('a page that takes the focus from a user who is typing gets a few keys at most', async ({ studio, page }) => {
  await studio.open({
    files: {
      '/index.html':
        // It also pretends, as far as code can, that the user has clicked in it.
        '<input aria-label="Trap"><script>Object.prototype.toJSON = () => ({ type: "pressed" }); setInterval(() => console.log(), 20); let grabs = 0; setInterval(() => ++grabs < 20 && document.querySelector("input").focus(), 100)</script>',
    },
  });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe >> nth=-1');
  await expect(preview.getByRole('textbox')).toBeVisible();
  await studio.message.click();
  await expect(page.locator('iframe[title="/index.html"]')).toHaveAttribute('inert');
  const message = 'a message that is long enough to show what happens to it while it is being typed';
  await page.keyboard.type(message, { delay: 60 });
  const [typed, taken] = [await studio.message.inputValue(), await preview.getByRole('textbox').inputValue()];
  // It gets what is typed before the studio notices.
  expect(typed.length + taken.length).toBe(message.length);
  expect(taken.length).toBeLessThan(message.length / 4);
  const box = await page.locator('iframe[title="/index.html"]').boundingBox();
  await page.mouse.move((box?.x ?? 0) + 200, (box?.y ?? 0) + 200);
  await clickIn(page, preview.getByRole('textbox'));
  await page.keyboard.type('mine', { delay: 60 });
  await expect(preview.getByRole('textbox')).toHaveValue(/mine$/);
});

test('a page that is rebuilt while the user types does not get the focus', async ({ studio, bench, page }) => {
  await studio.open({ files: { '/index.html': '<p>0</p>' } });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe >> nth=-1');
  await expect(preview.getByText('0')).toBeVisible();
  const content = '<p>1</p><input aria-label="Trap"><script>document.querySelector("input").focus()</script>';
  bench.model.script('Build it', [...replaceTurns('/index.html', content), { text: 'Built.' }]);
  await studio.say('Build it');
  const next = 'what is written next, which is long enough to go on after the page is there';
  await page.keyboard.type(next, { delay: 50 });
  await expect(preview.getByText('1')).toBeVisible();
  expect((await studio.message.inputValue()).length).toBeGreaterThan((next.length * 3) / 4);
});

test('a page reads only its own files, in markup too; one that navigates elsewhere is ended', async ({
  studio,
  bench,
  page,
}) => {
  await studio.open({
    files: {
      '/index.html':
        '<p id="n"></p><div id="g"></div><a href="game.html">Play</a><script>fetch("data.json").then((r) => r.json()).then((d) => { n.textContent = "n is " + d.n; }); g.innerHTML = `<img src="a.svg" alt="">`;</script>',
      '/game.html': '<script>location.replace("app.html")</script>',
      '/data.json': '{"n": 1}',
      '/a.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="9"></svg>',
    },
  });
  studio.expectedProblems.push('frame-src', 'Framing', 'img-src', 'violates');
  await page.getByRole('tab', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe >> nth=-1');
  await expect(preview.getByText('n is 1')).toBeVisible();
  await expect.poll(() => preview.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(7);
  bench.model.script('Count', [...replaceTurns('/data.json', '{"n": 2}'), { text: 'Counted.' }]);
  await studio.say('Count');
  await expect(preview.getByText('n is 2')).toBeVisible();
  await preview.getByRole('link', { name: 'Play' }).click();
  await expect(page.getByRole('region', { name: 'Page problems' })).toContainText(
    'keeps navigating to another address',
  );
});

test('a page’s requests are refused and leave nothing behind, and the studio is unaffected', async ({
  studio,
  bench,
  page,
}) => {
  test.setTimeout(180_000);
  studio.expectedProblems.push('');
  const elsewhere = await startCountingServer();
  const targets = {
    http: `http://127.0.0.1:${elsewhere.port}`,
    ws: `ws://127.0.0.1:${elsewhere.port}`,
    stun: `stun:127.0.0.1:${elsewhere.udpPort}`,
    studio: bench.url,
  };
  // A page has its own storage and cookies.
  const own = /^(localStorage|sessionStorage|document\.cookie)/;
  const attacks = [
    ...exfiltrations(targets),
    ...intrusions.filter(({ name }) => !own.test(name)).map(({ name }) => ({ name, code: name })),
  ];
  const seen: string[] = [];
  page.on('dialog', (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('download', (download) => seen.push(`download: ${download.url()}`));
  page.context().on('page', (other) => seen.push(`window: ${other.url()}`));
  await studio.open({
    files: {
      '/index.html': '<script src="attack.js"></script>',
      '/attack.js': `const { log } = console; const later = setTimeout; (${attackAll})(${JSON.stringify(attacks)}, log, later)`,
    },
  });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const pane = page.getByRole('region', { name: 'Preview' });
  await pane.getByRole('button', { name: 'Page console' }).click();
  await expect(pane.getByText(`DONE with ${attacks.length}`)).toBeVisible({ timeout: 150_000 });
  await expect(pane.getByText('OUT', { exact: true })).toHaveCount(0);
  expect(elsewhere.hits).toEqual([]);
  expect(seen).toEqual([]);
  await studio.message.fill('still here');
  await elsewhere.stop();
});

test('a missing page is reported with the existing ones; a folder stands for its index', async ({ studio, bench }) => {
  await studio.open({ files: { '/docs/index.html': '<h1>Docs</h1>', '/a.md': '# A' } });
  const call = (name: string, input: object) => ({ name, arguments: JSON.stringify(input) });
  bench.model.script('Open pages', [
    { calls: [call('preview_open', { entry: 'none.html' })] },
    { calls: [call('preview_open', { entry: 'docs' })] },
    { calls: [call('preview_snapshot', { selector: '::' })] },
    { calls: [call('preview_snapshot', {})] },
    { text: 'Done.' },
  ]);
  await studio.say('Open pages');
  await studio.settled(1, { whenAsked: 'allow', timeout: 60_000 });
  const results = (await studio.turns())[0]?.parts.flatMap((part) =>
    part.type === 'tool-call' && part.result !== undefined ? [resultContent(part.result)] : [],
  );
  expect(results).toEqual([
    'There is no page /none.html. Available pages: /docs/index.html, /a.md.',
    '/docs/index.html is running. Title: "".\nNo errors.\nNo console output.',
    expect.stringMatching(/SyntaxError.*not a valid selector/),
    'title: ""\n- heading "Docs" [level=1]',
  ]);
});

test('after five failures in a turn, the page is not opened again', async ({ studio, bench }) => {
  studio.expectedProblems.push('still broken');
  await studio.open({ files: { '/index.html': '<script>throw new Error("still broken")</script>' } });
  const look = { calls: [{ name: 'preview_open', arguments: '{}' }] };
  bench.model.script('Mend it', [...Array.from({ length: 6 }, () => look), { text: 'I cannot.' }]);
  await studio.say('Mend it');
  await studio.settled(1, { whenAsked: 'allow', timeout: 60_000 });
  await expect(studio.call('preview_open', 4)).toContainText('Page error');
  await expect(studio.call('preview_open', 4).locator('svg.lucide-circle-alert')).toBeVisible();
  await expect(studio.call('preview_open', 4).locator('svg.lucide-check')).toBeHidden();
  await expect(studio.call('preview_open', 5)).toHaveAttribute('data-state', 'denied');
  const last = (await studio.turns())[0]?.parts.findLast(({ type }) => type === 'tool-call');
  expect(last?.type === 'tool-call' && last.result?.type === 'tool-error' ? last.result.message : '').toContain(
    'failed 5 times in this turn',
  );
});

test('a page can reload itself, but not forever', async ({ studio, page }) => {
  studio.expectedProblems.push('frame-src');
  await studio.open({
    files: {
      '/index.html':
        '<p></p><script>sessionStorage.n = Number(sessionStorage.n ?? 0) + 1; document.querySelector("p").textContent = "Round " + sessionStorage.n; if (sessionStorage.n < 3) setTimeout(() => location.reload(), 50);</script>',
    },
  });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const pane = page.getByRole('region', { name: 'Preview' });
  await expect(pane.frameLocator('iframe >> nth=-1').getByText('Round 3')).toBeVisible();
});

/** Runs in the page: one attack after the other, waiting at most a second for each. */
async function attackAll(
  attacks: { name: string; code: string }[],
  log: (text: string) => void,
  later: typeof setTimeout,
): Promise<void> {
  const { constructor: asynchronous } = Object.getPrototypeOf(async () => undefined);
  const compile = (code: string): (() => Promise<unknown>) => {
    try {
      return asynchronous(`return (${code})`);
    } catch {
      return asynchronous(code);
    }
  };
  const progress = sessionStorage;
  // Some make the browser reload the page: continue after those.
  for (let next = Number(progress.getItem('next') ?? 0); next < attacks.length; next++) {
    progress.setItem('next', String(next + 1));
    await new Promise((resolve) => later(resolve, 10));
    const given = new Promise((resolve) => later(resolve, 1_000));
    const result = await Promise.race([compile(attacks[next]?.code ?? '')().catch(String), given]);
    if (String(result).includes('OUT')) log('OUT');
  }
  log(`DONE with ${attacks.length}`);
}
