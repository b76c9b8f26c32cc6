// More than 400 lines: one suite for one pane; its tests share the same helpers.
import type { Locator, Page } from '@playwright/test';
import { resultContent } from '#lib/tools/core/tool-call.ts';
import { exfiltrations, intrusions } from './lib/attacks.ts';
import { startCountingServer } from './lib/counting-server.ts';
import { expect, test } from './lib/fixtures.ts';
import { replaceTurns } from './lib/prompt.ts';

const REACT = {
  '/index.html':
    '<!doctype html>\n<html><head><title>Counter</title></head><body><div id="root"></div><script type="module" src="/src/main.tsx"></script></body></html>',
  '/src/main.tsx':
    "import { createRoot } from 'react-dom/client';\nimport { App } from './App';\nimport './style.css';\n\ncreateRoot(document.getElementById('root')!).render(<App start={3} />);\n",
  '/src/App.tsx':
    "import { useState } from 'react';\nimport styles from './app.module.css';\nimport texts from './texts.json';\n\nexport function App({ start }: { start: number }) {\n  const [count, setCount] = useState<number>(start);\n  return (\n    <main className={styles.app}>\n      <h1>{texts.title}</h1>\n      <button type=\"button\" onClick={() => setCount(count + 1)}>\n        Count is {count}\n      </button>\n    </main>\n  );\n}\n",
  '/src/app.module.css': '.app { color: rgb(1, 2, 3); }\n',
  '/src/style.css': 'body { background: rgb(4, 5, 6); }\n',
  '/src/texts.json': '{ "title": "Hello from JSON" }\n',
};

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

test('a React project in the workspace runs', async ({ studio, page }) => {
  await studio.open({ files: REACT });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe >> nth=-1');
  await expect(preview.getByRole('heading', { name: 'Hello from JSON' })).toBeVisible();
  await preview.getByRole('button', { name: 'Count is 3' }).click();
  await expect(preview.getByRole('button', { name: 'Count is 4' })).toBeVisible();
});

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

test('a build error shows its position and links to the editor; the previous page stays', async ({
  studio,
  bench,
  page,
}) => {
  await studio.open({ files: REACT });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const pane = page.getByRole('region', { name: 'Preview' });
  const preview = pane.frameLocator('iframe >> nth=-1');
  await expect(preview.getByRole('heading')).toBeVisible();
  const broken =
    "import axios from 'axios';\nimport { x } from './missing';\nexport const App = () => <p>{x}{axios}</p>;\n";
  bench.model.script('Break it', [...replaceTurns('/src/App.tsx', broken), { text: 'Broken.' }]);
  await studio.say('Break it');
  const problems = pane.getByRole('region', { name: 'Page problems' });
  await expect(problems).toContainText('There is no package "axios"');
  await expect(problems).toContainText('lucide-react');
  await expect(problems).toContainText('There is no file for "./missing". Looked for /src/missing, also with .tsx');
  await expect(preview.getByRole('heading')).toBeVisible();
  await problems.getByRole('button', { name: '/src/App.tsx:2:19' }).click();
  await expect(studio.editor.getByRole('button', { name: 'App.tsx', exact: true })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Editor' })).toHaveAttribute('aria-selected', 'true');
});

test('an uncaught error shows its position in the file, whichever script it is in', async ({ studio, page }) => {
  studio.expectedProblems.push('deep', 'classic', 'inline');
  await studio.open({
    files: {
      '/index.html':
        '<!doctype html>\n<body>\n<button onclick="fail()">Fail</button>\n<script>\nfunction fail() {\n  null.inline;\n}\n</script>\n<script src="classic.js"></script>\n<script type="module">\nimport { deep } from "./deep.ts";\ndocument.body.append("ready");\nsetTimeout(() => deep());\n</script>\n</body>',
      '/classic.js': '\n\nsetTimeout(() => { undefined.classic; });',
      '/deep.ts': 'interface A { b: number }\n\nexport function deep(): A {\n  throw new TypeError("deep");\n}\n',
    },
  });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const pane = page.getByRole('region', { name: 'Preview' });
  const problems = pane.getByRole('region', { name: 'Page problems' });
  await expect(problems.getByRole('button', { name: '/deep.ts:4:9' })).toBeVisible();
  await expect(problems.getByRole('button', { name: '/classic.js:3:30' })).toBeVisible();
  await expect(problems).toContainText('TypeError: deep');
  await problems.getByRole('button', { name: 'Close' }).click();
  await pane.frameLocator('iframe >> nth=-1').getByRole('button', { name: 'Fail' }).click();
  await expect(problems.getByRole('button', { name: '/index.html:6:8' })).toBeVisible();
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

test('the console shows the page’s output, and runs code in the page', async ({ studio, page }) => {
  await studio.open({
    files: { '/index.html': '<p id="x">before</p><script>console.log("started", { a: [1] }); alert("hi")</script>' },
  });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const pane = page.getByRole('region', { name: 'Preview' });
  await pane.getByRole('button', { name: 'Page console' }).click();
  await expect(pane.getByText('{a: [1]}')).toBeVisible();
  await expect(pane.getByText('alert: hi')).toBeVisible();
  const prompt = pane.getByRole('textbox', { name: 'Run JavaScript in the page' });
  await prompt.fill('document.getElementById("x").textContent = "after"; 6 * 7');
  await prompt.press('Enter');
  await expect(pane.getByText('42', { exact: true })).toBeVisible();
  await expect(pane.frameLocator('iframe >> nth=-1').getByText('after')).toBeVisible();
});

test('an empty workspace says which files the preview looked for', async ({ studio, page }) => {
  await studio.open({ files: { '/main.py': 'print(1)' } });
  await page.getByRole('tab', { name: 'Preview' }).click();
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText(
    'The preview shows index.html or any other .html, .md, or .svg file',
  );
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

test('a better page that appears later replaces the guess, and a renamed page is followed', async ({
  studio,
  bench,
  page,
}) => {
  await studio.open({ files: { '/README.md': '# Read me' } });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe >> nth=-1');
  await expect(preview.getByRole('heading', { name: 'Read me' })).toBeVisible();
  bench.model.script('Write a page', [
    { calls: [{ name: 'write_file', arguments: '{"path":"/index.html","content":"<h1>Page</h1>"}' }] },
    { calls: [{ name: 'move_path', arguments: '{"from":"/index.html","to":"/start.html"}' }] },
    { text: 'Written.' },
  ]);
  await studio.say('Write a page');
  await expect(preview.getByRole('heading', { name: 'Page' })).toBeVisible();
  await studio.settled();
  await expect(page.getByRole('combobox', { name: 'Page' })).toContainText('/start.html');
});

test('the preview of a Markdown file has the studio’s theme, chosen or by the system', async ({ studio, page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await studio.open({ files: { '/README.md': '# Read me\n\n`code`' } });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const body = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe >> nth=-1').locator('body');
  await expect(body).toHaveCSS('background-color', 'rgb(24, 24, 27)');
  await expect(body).toHaveCSS('color', 'rgb(236, 236, 241)');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(body).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await studio.openSettings('General');
  await studio.choose('Theme', 'Dark');
  await page.keyboard.press('Escape');
  await expect(body).toHaveCSS('background-color', 'rgb(24, 24, 27)');
  // It is also dark when it is loaded again.
  await page.getByRole('button', { name: 'Reload', exact: true }).click();
  await expect(body).toHaveCSS('background-color', 'rgb(24, 24, 27)');
});

test('a page has the URL that it would have on a server, with the link’s query', async ({ studio, page }) => {
  await studio.open({
    files: {
      '/index.html': '<a href="shop/item.html?id=42#end">Item</a><output></output><script src="where.js"></script>',
      '/where.js':
        'document.querySelector("output").textContent = location.pathname + location.search + location.hash;',
      '/shop/item.html':
        '<output></output><p></p><div style="height: 3000px"></div><p id="end">End</p><script src="../where.js"></script><script>fetch(new URL("data.json", location.href)).then((r) => r.json()).then((d) => { document.querySelector("p").textContent = "n is " + d.n + " " + localStorage.hasOwnProperty("x") + " " + (localStorage instanceof Storage); });</script>',
      '/shop/data.json': '{"n": 7}',
    },
  });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe >> nth=-1');
  await expect(preview.locator('output')).toHaveText('/');
  await preview.getByRole('link', { name: 'Item' }).click();
  await expect(preview.locator('output')).toHaveText('/shop/item.html?id=42#end');
  await expect(preview.locator('p').first()).toHaveText('n is 7 false true');
  await expect(preview.getByText('End', { exact: true })).toBeInViewport();
});

test('if the bundler cannot be loaded, the preview says so, and the next attempt starts again', async ({
  studio,
  page,
}) => {
  studio.expectedProblems.push('ERR_FAILED', 'Failed to fetch');
  await studio.open({ files: { '/index.html': '<h1>Here</h1><script type="module">console.log(1);</script>' } });
  await page.context().route('**/esbuild.wasm', (route) => route.abort());
  await page.getByRole('tab', { name: 'Preview' }).click();
  const pane = page.getByRole('region', { name: 'Preview' });
  await expect(pane).toContainText('The bundler could not be started');
  await page.context().unroute('**/esbuild.wasm');
  await pane.getByRole('button', { name: 'Reload' }).click();
  await expect(pane.frameLocator('iframe >> nth=-1').getByRole('heading', { name: 'Here' })).toBeVisible();
});

test('a page that needs no bundler does not wait for it', async ({ studio, page }) => {
  studio.expectedProblems.push('ERR_FAILED', 'Failed to fetch');
  await studio.open({
    files: {
      '/index.html': '<style>p { color: red }</style><p id="p">before</p><script>p.textContent = "after"</script>',
    },
  });
  await page.context().route('**/esbuild.wasm', (route) => route.abort());
  await page.getByRole('tab', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe >> nth=-1');
  await expect(preview.getByText('after')).toBeVisible();
});

test('a page goes back through its own history, and no further', async ({ studio, page }) => {
  await studio.open({
    files: {
      '/index.html':
        '<a href="#one">One</a><button onclick="history.back()">Back</button><output></output><script>onhashchange = () => { document.querySelector("output").textContent = "at " + location.hash; };</script>',
    },
  });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe >> nth=-1');
  await preview.getByRole('link', { name: 'One' }).click();
  await expect(preview.getByText('at #one')).toBeVisible();
  const back = preview.getByRole('button', { name: 'Back' });
  await back.click();
  await expect(preview.locator('output')).toHaveText('at');
  await back.click();
  await back.click();
  await expect(preview.locator('output')).toHaveText('at');
  await expect(studio.message).toBeVisible();
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

test('the page has its own window', async ({ studio, page, context }) => {
  await studio.open({ files: REACT });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const pane = page.getByRole('region', { name: 'Preview' });
  await expect(pane.frameLocator('iframe >> nth=-1').getByRole('heading')).toBeVisible();
  const opening = context.waitForEvent('page');
  await pane.getByRole('link', { name: 'Open in a new window' }).click();
  const own = await opening;
  const alone = own.frameLocator('iframe >> nth=-1');
  await expect(alone.getByRole('heading', { name: 'Hello from JSON' })).toBeVisible();
  // Where it is visible, and not where it is only kept open.
  await expect.poll(() => alone.locator('body').evaluate(() => innerWidth)).toBe(await own.evaluate(() => innerWidth));
  await own.goto('/preview?workspace=none');
  await expect(own.getByRole('heading', { name: 'This page can’t be shown' })).toBeVisible();
});

test('a model writes a React project, sees its error, fixes it and sees the page', async ({ studio, bench, page }) => {
  studio.expectedProblems.push("reading 'text'");
  await studio.open();
  const write = (path: string, content: string) => ({
    name: 'write_file',
    arguments: JSON.stringify({ path, content }),
  });
  const broken = REACT['/src/App.tsx'].replace('texts.title', 'texts.titel.text');
  bench.model.script('Build a counter', [
    { calls: Object.entries({ ...REACT, '/src/App.tsx': broken }).map(([path, content]) => write(path, content)) },
    { calls: [{ name: 'preview_open', arguments: '{}' }] },
    {
      calls: [
        {
          name: 'edit_file',
          arguments: JSON.stringify({ path: '/src/App.tsx', find: 'texts.titel.text', replace: 'texts.title' }),
        },
      ],
    },
    { calls: [{ name: 'preview_open', arguments: '{"entry":"/index.html"}' }] },
    { calls: [{ name: 'preview_snapshot', arguments: '{"selector":"main"}' }] },
    { calls: [{ name: 'preview_console', arguments: '{}' }] },
    { text: 'It runs.' },
  ]);
  await studio.say('Build a counter');
  await studio.settled(1, { whenAsked: 'allow', timeout: 60_000 });
  const results = (await studio.turns())[0]?.parts.flatMap((part) =>
    part.type === 'tool-call' && part.result?.type === 'tool-result' ? [resultContent(part.result)] : [],
  );
  expect(results?.at(-5)).toMatch(
    /^\/index\.html is running\..*\nErrors:\n\/src\/App\.tsx:9:24 TypeError: Cannot read/,
  );
  expect(results?.at(-5)).toContain('[Attempt 1 of 5. Fix this and call preview_open again.]');
  expect(results?.at(-3)).toBe('/index.html is running. Title: "Counter".\nNo errors.\nNo console output.');
  expect(results?.at(-2)).toBe(
    'title: "Counter"\ntext: "Hello from JSON Count is 3"\n- main\n  - heading "Hello from JSON" [level=1]\n  - button "Count is 3"',
  );
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe >> nth=-1');
  await expect(preview.getByRole('button', { name: 'Count is 3' })).toBeVisible();
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
