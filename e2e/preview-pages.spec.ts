import { expect, test } from './lib/fixtures.ts';

const DOT =
  '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"><rect width="7" height="7" fill="rgb(7,7,7)"/></svg>';

test('a worker of the workspace runs with what it imports; its lines and its errors are the page’s', async ({
  studio,
  page,
}) => {
  await studio.open({
    files: {
      '/index.html': '<p id="sum">none</p><script type="module" src="/src/main.ts"></script>',
      '/src/main.ts':
        "const worker = new Worker(new URL('./sums.ts', import.meta.url), { type: 'module' });\nworker.onmessage = ({ data }) => { document.getElementById('sum')!.textContent = data.kind + data.sum; };\nworker.postMessage([1, 2]);\nworker.postMessage([3, 4]);\nworker.postMessage('wrong');\n",
      '/src/sums.ts':
        "import { add } from './add';\nimport clsx from 'clsx';\n\nself.onmessage = ({ data }: MessageEvent<number[]>) => {\n  console.log('asked for', data);\n  if (!Array.isArray(data)) throw new TypeError('not a list');\n  self.postMessage({ kind: clsx('sum', 'of'), sum: add(...data) });\n};\n",
      '/src/add.ts': 'export const add = (...all: number[]): number => all.reduce((sum, one) => sum + one, 0);\n',
    },
  });
  studio.expectedProblems.push('not a list');
  await page.getByRole('tab', { name: 'Preview' }).click();
  const pane = page.getByRole('region', { name: 'Preview' });
  await expect(pane.frameLocator('iframe >> nth=-1').getByText('sum of7')).toBeVisible();
  await expect(pane.getByText('TypeError: not a list')).toBeVisible();
  await expect(pane.getByRole('button', { name: /\/src\/sums\.ts:6:\d+/ })).toBeVisible();
  await pane.getByRole('button', { name: 'Close' }).click();
  await pane.getByRole('button', { name: 'Console of the page' }).click();
  await expect(pane.getByText('asked for')).toHaveCount(3);
});

test('a worker that cannot be built says where', async ({ studio, page }) => {
  await studio.open({
    files: {
      '/index.html':
        '<p id="p">waits</p><script>new Worker("work.js").onerror = () => { p.textContent = "failed" }</script>',
      '/work.js': 'importScripts("x.js");\nconst = 1;\n',
    },
  });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const pane = page.getByRole('region', { name: 'Preview' });
  await expect(pane.frameLocator('iframe >> nth=-1').getByText('failed')).toBeVisible();
  await expect(pane.getByRole('button', { name: '/work.js:2:7' })).toBeVisible();
});

test('files by the address of a module, by XMLHttpRequest, and in styles that code sets', async ({ studio, page }) => {
  await studio.open({
    files: {
      '/index.html':
        '<p id="old">none</p><p id="gone">none</p><i id="a">a</i><i id="b">b</i><script type="module" src="/src/main.ts"></script>',
      '/src/main.ts': `const image = new Image();
image.alt = 'by address';
image.src = new URL('./dot.svg', import.meta.url).href;
document.body.append(image);
for (const [id, path] of [['old', '/data.json'], ['gone', '/nothing.json']]) {
  const request = new XMLHttpRequest();
  request.open('GET', path);
  request.setRequestHeader('accept', 'application/json');
  request.responseType = 'json';
  request.onload = () => { document.getElementById(id)!.textContent = id + request.status + (request.response?.name ?? ''); };
  request.send();
}
document.getElementById('a')!.style.backgroundImage = 'url("src/dot.svg")';
document.getElementById('b')!.style.setProperty('background', '#fff url(/src/dot.svg) no-repeat');
`,
      '/src/dot.svg': DOT,
      '/data.json': '{ "name": "by request" }',
    },
  });
  // Nobody can be told of a style before the browser looks at it.
  studio.expectedProblems.push('Loading the image');
  await page.getByRole('tab', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe >> nth=-1');
  await expect(preview.getByText('old200by request')).toBeVisible();
  await expect(preview.getByText('gone404')).toBeVisible();
  await expect(preview.getByRole('img', { name: 'by address' })).toHaveJSProperty('naturalWidth', 7);
  await expect(preview.locator('#a')).toHaveCSS('background-image', /^url\("data:image\/svg/);
  await expect(preview.locator('#b')).toHaveCSS('background-image', /^url\("data:image\/svg/);
  await expect(preview.locator('#b')).toHaveCSS('background-repeat', 'no-repeat');
  await page.getByRole('region', { name: 'Preview' }).getByRole('button', { name: 'Console of the page' }).click();
  await expect(page.getByText('The page was loaded.')).toBeVisible();
  await expect(page.getByText('img-src')).toHaveCount(0);
});

test('a module that throws does not keep the next from running', async ({ studio, page }) => {
  await studio.open({
    files: {
      '/index.html':
        '<p id="p">none</p>\n<script type="module" src="first.js"></script>\n<script type="module">document.getElementById("p").textContent = "second";</script>',
      '/first.js': '\n\nthrow new Error("of the first");',
    },
  });
  studio.expectedProblems.push('of the first');
  await page.getByRole('tab', { name: 'Preview' }).click();
  const pane = page.getByRole('region', { name: 'Preview' });
  await expect(pane.frameLocator('iframe >> nth=-1').getByText('second')).toBeVisible();
  await expect(pane.getByText('Error: of the first')).toBeVisible();
  await expect(pane.getByRole('button', { name: '/first.js:3:7' })).toBeVisible();
});

test('a page that is built anew is as far down as it was; another page begins at its top', async ({
  studio,
  bench,
  page,
}) => {
  const long = (text: string) => `<a href="other.html">${text}</a><div style="height:5000px"></div><p>the end</p>`;
  await studio.open({ files: { '/index.html': long('first'), '/other.html': long('other') } });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe >> nth=-1');
  await preview.getByText('the end').scrollIntoViewIfNeeded();
  await expect(preview.getByText('the end')).toBeInViewport();
  bench.model.script('Change it', [
    { calls: [{ name: 'write_file', arguments: JSON.stringify({ path: '/index.html', content: long('second') }) }] },
    { text: 'Changed.' },
  ]);
  await studio.say('Change it');
  await expect(preview.getByText('second')).toBeAttached();
  await expect(preview.getByText('the end')).toBeInViewport();
  await preview.getByText('second').evaluate((link: HTMLElement) => link.click());
  await expect(preview.getByText('other')).toBeInViewport();
  await expect(preview.getByText('the end')).not.toBeInViewport();
});

test('a page that stops answering is told of, and can be ended', async ({ studio, page }) => {
  await studio.open({
    files: { '/index.html': '<p>fine so far</p><script>setTimeout(() => { for (;;); }, 500)</script>' },
  });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const pane = page.getByRole('region', { name: 'Preview' });
  await expect(pane.getByText('The page does not answer.')).toBeVisible({ timeout: 20_000 });
  await pane.getByRole('button', { name: 'End it' }).click();
  await expect(pane.getByText('The page was ended by hand.')).toBeVisible();
  await expect(pane.getByText('The page does not answer.')).toBeHidden();
  await expect(page.locator('iframe[title="/index.html"]')).toHaveCount(0);
});

test('whoever has just used the studio can click into a page at once', async ({ studio, page }) => {
  await studio.open({
    files: {
      '/index.html':
        '<button onclick="this.textContent = \'pressed\'">press</button><input aria-label="Name" style="display:block">',
    },
  });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe >> nth=-1');
  await expect(preview.getByRole('button')).toBeVisible();
  await studio.message.click();
  await preview.getByRole('button', { name: 'press' }).click();
  await expect(preview.getByRole('button', { name: 'pressed' })).toBeVisible();
  await studio.message.click();
  await preview.getByRole('textbox').click();
  await page.keyboard.type('typed at once');
  await expect(preview.getByRole('textbox')).toHaveValue('typed at once');
});
