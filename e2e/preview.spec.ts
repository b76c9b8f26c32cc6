import { resultContent } from '#lib/tools/core/tool-call.ts';
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

test('a React project in the workspace runs', async ({ studio, page }) => {
  await studio.open({ files: REACT });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe >> nth=-1');
  await expect(preview.getByRole('heading', { name: 'Hello from JSON' })).toBeVisible();
  await preview.getByRole('button', { name: 'Count is 3' }).click();
  await expect(preview.getByRole('button', { name: 'Count is 4' })).toBeVisible();
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
