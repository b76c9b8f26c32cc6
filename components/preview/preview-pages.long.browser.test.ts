import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { keyboard } from '#components/test/browser.ts';
import { test } from './test/preview-test.ts';

const DOT =
  '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"><rect width="7" height="7" fill="rgb(7,7,7)"/></svg>';

test('a worker in the workspace runs with its imports; its output and errors are shown as the page’s', async ({
  studio,
  preview,
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
  preview.expectedErrors.push('not a list');
  await preview.show();
  await preview.expectText('sum of7');
  await expect.element(preview.pane.getByText('TypeError: not a list')).toBeVisible();
  await expect.element(preview.pane.getByRole('button', { name: /\/src\/sums\.ts:6:\d+/ })).toBeVisible();
  await preview.pane.getByRole('button', { name: 'Close' }).click();
  await preview.showConsole();
  await expect.element(preview.pane.getByText('asked for')).toHaveLength(3);
});

test('a worker that cannot be built is reported with its position', async ({ studio, preview }) => {
  await studio.open({
    files: {
      '/index.html':
        '<p id="p">waits</p><script>new Worker("work.js").onerror = () => { p.textContent = "failed" }</script>',
      '/work.js': 'importScripts("x.js");\nconst = 1;\n',
    },
  });
  await preview.show();
  await preview.expectText('failed');
  await expect.element(preview.pane.getByRole('button', { name: '/work.js:2:7' })).toBeVisible();
});

test('files by module URL, by XMLHttpRequest, and in styles set by code', async ({ studio, preview }) => {
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
  // A style can only be reported once the browser has evaluated it.
  preview.expectedErrors.push('Loading the image');
  await preview.show();
  await preview.expectText('old200by request');
  await preview.expectText('gone404');
  await preview
    .expectValue(() => document.querySelector<HTMLImageElement>('img[alt="by address"]')?.naturalWidth)
    .toBe(7);
  await preview
    .expectValue(() =>
      ['#a', '#b'].map((id) => {
        const element = document.querySelector(id);
        return element === null ? '' : getComputedStyle(element).backgroundImage;
      }),
    )
    .toEqual([expect.stringMatching(/^url\("data:image\/svg/), expect.stringMatching(/^url\("data:image\/svg/)]);
  await preview
    .expectValue(() => getComputedStyle(document.getElementById('b') ?? document.body).backgroundRepeat)
    .toBe('no-repeat');
  await preview.showConsole();
  await expect.element(page.getByText('Page loaded.')).toBeVisible();
  await expect.element(page.getByText('img-src')).not.toBeInTheDocument();
});

test('a page that stops responding is reported, and can be stopped', async ({ studio, preview }) => {
  await studio.open({
    files: { '/index.html': '<p>fine so far</p><script>setTimeout(() => { for (;;); }, 500)</script>' },
  });
  await preview.show();
  await expect.element(preview.pane.getByText('The page isn’t responding.')).toBeVisible();
  await preview.pane.getByRole('button', { name: 'Stop page' }).click();
  await expect.element(preview.pane.getByText('The page was stopped manually.')).toBeVisible();
  await expect.element(preview.pane.getByText('The page isn’t responding.')).not.toBeInTheDocument();
  await expect.element(page.locate('iframe[title="/index.html"]')).not.toBeInTheDocument();
});

test('a page can be clicked immediately after using the studio', async ({ studio, preview }) => {
  await studio.open({
    files: {
      '/index.html':
        '<button onclick="this.textContent = \'pressed\'">press</button><input aria-label="Name" style="display:block">',
    },
  });
  await preview.show();
  await preview.expectText('press');
  await page.getByRole('tab', { name: 'Console', exact: true }).click();
  await preview.show();
  await preview.page.getByRole('button', { name: 'press' }).click();
  await preview.expectValue(() => document.querySelector('button')?.textContent).toBe('pressed');
  await preview.page.getByRole('textbox').click();
  await keyboard.type('typed at once');
  await preview.expectValue(() => document.querySelector('input')?.value).toBe('typed at once');
});

test('a router that pushes states goes back through them, and no further', async ({ studio, preview }) => {
  await studio.open({
    files: {
      '/index.html': `<a href="/one">one</a> <a href="/two">two</a> <button onclick="history.back()">back</button> <button onclick="history.go(-5)">far back</button> <output></output>
<script>
  const show = () => { document.querySelector('output').textContent = 'at ' + location.pathname + ' ' + JSON.stringify(history.state); };
  addEventListener('popstate', show);
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a');
    if (link === null) return;
    event.preventDefault();
    history.pushState({ from: link.textContent }, '', link.getAttribute('href'));
    show();
  });
  show();
</script>`,
    },
  });
  await preview.show();
  const expectOutput = () => preview.expectValue(() => document.querySelector('output')?.textContent);
  await expectOutput().toBe('at / null');
  await preview.page.getByRole('link', { name: 'one' }).click();
  await preview.page.getByRole('link', { name: 'two' }).click();
  await expectOutput().toBe('at /two {"from":"two"}');
  await preview.page.getByRole('button', { name: 'far back' }).click();
  await preview.page.getByRole('button', { name: 'back', exact: true }).click();
  await expectOutput().toBe('at /one {"from":"one"}');
  const back = preview.page.getByRole('button', { name: 'back', exact: true });
  await back.click();
  await expectOutput().toBe('at / null');
  await back.click();
  await back.click();
  await expectOutput().toBe('at / null');
  await expect.element(studio.message).toBeVisible();
});

test('forms, windows and links in SVGs open pages; broken ones are reported', async ({ studio, preview }) => {
  await studio.open({
    files: {
      '/index.html': `<form action="found.html?old"><input name="q" value="a b"><button>Search</button></form>
<form method="post" action="found.html"><button>Send</button></form>
<button onclick="window.open('found.html')">Open</button> <a href="missing.html">Missing</a> <a href="https://elsewhere.example/">Out</a>
<a href="data:,x" download="x.txt">Save</a>
<svg width="60" height="20"><a href="found.html"><text y="15">Drawn</text></a></svg>`,
      '/found.html': '<script>document.write("found " + location.search)</script><a href="/">Home</a>',
    },
  });
  await preview.show();
  const home = async () => {
    await preview.page.getByRole('link', { name: 'Home' }).click();
    await preview.expectText('Search');
  };
  await preview.page.getByRole('button', { name: 'Search' }).click();
  await preview.expectText('found ?q=a+b');
  await home();
  await preview.page.getByRole('button', { name: 'Open' }).click();
  await preview.expectText('found');
  await home();
  await preview.page.getByText('Drawn').click();
  await preview.expectText('found');
  await home();
  await preview.page.getByRole('link', { name: 'Missing' }).click();
  await preview.pane.getByRole('button', { name: '1 warning' }).click();
  await expect.element(preview.pane.getByText('The link to "missing.html" leads nowhere')).toBeVisible();
  await preview.pane.getByRole('button', { name: 'Close' }).click();
  await preview.page.getByRole('link', { name: 'Out' }).click();
  await expect
    .element(preview.pane.getByText('The link to https://elsewhere.example/ leads outside the workspace'))
    .toBeVisible();
  await preview.pane.getByRole('button', { name: 'Close' }).click();
  await preview.showConsole();
  await preview.page.getByRole('button', { name: 'Send' }).click();
  await expect.element(preview.pane.getByText('A preview has no server: the form was not sent.')).toBeVisible();
  await preview.page.getByRole('link', { name: 'Save' }).click();
  await expect.element(preview.pane.getByText('A preview cannot save files: "x.txt".')).toBeVisible();
  await expect.element(preview.pane.getByText('Page loaded. /found.html').first()).toBeVisible();
});
