import { resultContent } from '#lib/tools/core/tool-call.ts';
import { clickInFrame } from './lib/click-in-frame.ts';
import { expect, test } from './lib/fixtures.ts';
import { REACT } from './lib/react-project.ts';

test('a React project in the workspace runs', async ({ studio, page }) => {
  await studio.open({ files: REACT });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe >> nth=-1');
  await expect(preview.getByRole('heading', { name: 'Hello from JSON' })).toBeVisible();
  await clickInFrame(preview.getByRole('button', { name: 'Count is 3' }));
  await expect(preview.getByRole('button', { name: 'Count is 4' })).toBeVisible();
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
  await clickInFrame(preview.getByRole('link', { name: 'Item' }));
  await expect(preview.locator('output')).toHaveText('/shop/item.html?id=42#end');
  await expect(preview.locator('p').first()).toHaveText('n is 7 false true');
  await expect(preview.getByText('End', { exact: true })).toBeInViewport();
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
