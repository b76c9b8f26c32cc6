import { expect, test } from './lib/fixtures.ts';
import { replaceTurns } from './lib/prompt.ts';

const DOT =
  '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"><rect width="7" height="7" fill="rgb(7,7,7)"/></svg>';

test('a worker in the workspace runs with its imports; its output and errors are shown as the page’s', async ({
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
  await pane.getByRole('button', { name: 'Page console' }).click();
  await expect(pane.getByText('asked for')).toHaveCount(3);
});

test('a worker that cannot be built is reported with its position', async ({ studio, page }) => {
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

test('files by module URL, by XMLHttpRequest, and in styles set by code', async ({ studio, page }) => {
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
  studio.expectedProblems.push('Loading the image');
  await page.getByRole('tab', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe >> nth=-1');
  await expect(preview.getByText('old200by request')).toBeVisible();
  await expect(preview.getByText('gone404')).toBeVisible();
  await expect(preview.getByRole('img', { name: 'by address' })).toHaveJSProperty('naturalWidth', 7);
  await expect(preview.locator('#a')).toHaveCSS('background-image', /^url\("data:image\/svg/);
  await expect(preview.locator('#b')).toHaveCSS('background-image', /^url\("data:image\/svg/);
  await expect(preview.locator('#b')).toHaveCSS('background-repeat', 'no-repeat');
  await page.getByRole('region', { name: 'Preview' }).getByRole('button', { name: 'Page console' }).click();
  await expect(page.getByText('Page loaded.')).toBeVisible();
  await expect(page.getByText('img-src')).toHaveCount(0);
});

test('a module that throws does not prevent the next one from running', async ({ studio, page }) => {
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

test('a rebuilt page keeps its scroll position; another page starts at the top', async ({ studio, bench, page }) => {
  const long = (text: string) => `<a href="other.html">${text}</a><div style="height:5000px"></div><p>the end</p>`;
  await studio.open({ files: { '/index.html': long('first'), '/other.html': long('other') } });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe >> nth=-1');
  await preview.getByText('the end').scrollIntoViewIfNeeded();
  await expect(preview.getByText('the end')).toBeInViewport();
  bench.model.script('Change it', [...replaceTurns('/index.html', long('second')), { text: 'Changed.' }]);
  await studio.say('Change it');
  await expect(preview.getByText('second')).toBeAttached();
  await expect(preview.getByText('the end')).toBeInViewport();
  await preview.getByText('second').evaluate((link: HTMLElement) => link.click());
  await expect(preview.getByText('other')).toBeInViewport();
  await expect(preview.getByText('the end')).not.toBeInViewport();
});

test('a page that stops responding is reported, and can be stopped', async ({ studio, page }) => {
  await studio.open({
    files: { '/index.html': '<p>fine so far</p><script>setTimeout(() => { for (;;); }, 500)</script>' },
  });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const pane = page.getByRole('region', { name: 'Preview' });
  await expect(pane.getByText('The page isn’t responding.')).toBeVisible({ timeout: 20_000 });
  await pane.getByRole('button', { name: 'Stop page' }).click();
  await expect(pane.getByText('The page was stopped manually.')).toBeVisible();
  await expect(pane.getByText('The page isn’t responding.')).toBeHidden();
  await expect(page.locator('iframe[title="/index.html"]')).toHaveCount(0);
});

test('a page can be clicked immediately after using the studio', async ({ studio, page }) => {
  await studio.open({
    files: {
      '/index.html':
        '<button onclick="this.textContent = \'pressed\'">press</button><input aria-label="Name" style="display:block">',
    },
  });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe >> nth=-1');
  await expect(preview.getByRole('button')).toBeVisible();
  await page.getByRole('tab', { name: 'Console', exact: true }).click();
  await page.getByRole('tab', { name: 'Preview' }).click();
  await preview.getByRole('button', { name: 'press' }).click();
  await expect(preview.getByRole('button', { name: 'pressed' })).toBeVisible();
  await preview.getByRole('textbox').click();
  await page.keyboard.type('typed at once');
  await expect(preview.getByRole('textbox')).toHaveValue('typed at once');
});

test('scripts that pages load from other sites are served from the studio, without a request', async ({
  studio,
  page,
}) => {
  await studio.open({
    files: {
      '/index.html': `<script src="https://cdn.tailwindcss.com"></script>
<script>tailwind.config = { theme: {} }</script>
<script src="https://d3js.org/d3.v7.min.js"></script>
<script src="https://cdn.jsdelivr.net/npm/chart.js"></script>
<script src="https://code.jquery.com/jquery-3.7.1.min.js"></script>
<script src="https://unpkg.com/vue@3/dist/vue.global.js"></script>
<script src="https://unpkg.com/react@18/umd/react.production.min.js"></script>
<script src="https://unpkg.com/react-dom@18/umd/react-dom.production.min.js"></script>
<body class="bg-red-500"><p id="d3"></p><p id="jq"></p><div id="vue">{{ 6 * 7 }} of Vue</div><div id="react"></div><canvas id="c"></canvas>
<script>
  d3.select('#d3').text('max ' + d3.max([1, 3, 2]));
  $('#jq').text('of jQuery').addClass('underline');
  Vue.createApp({}).mount('#vue');
  ReactDOM.createRoot(document.getElementById('react')).render(React.createElement('b', null, 'of React'));
  new Chart(document.getElementById('c'), { type: 'bar', data: { labels: ['a'], datasets: [{ data: [1] }] } });
</script>
<script type="module">
  import { persist } from 'zustand/middleware';
  import * as d3 from 'https://cdn.jsdelivr.net/npm/d3@7/+esm';
  document.body.append('modules ' + typeof persist + ' ' + d3.min([4, 5]));
</script>`,
    },
  });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const pane = page.getByRole('region', { name: 'Preview' });
  const preview = pane.frameLocator('iframe >> nth=-1');
  for (const text of ['max 3', 'of jQuery', '42 of Vue', 'of React', 'modules function 4'])
    await expect(preview.getByText(text)).toBeVisible();
  await expect(preview.getByText('of jQuery')).toHaveCSS('text-decoration-line', 'underline');
  await expect(preview.locator('body')).toHaveCSS('background-color', /oklch|rgb\((?!0, 0, 0, 0)/);
  await expect(pane.getByRole('region', { name: 'Page problems' })).toHaveCount(0);
});

test('a router that pushes states goes back through them, and no further', async ({ studio, page }) => {
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
  await page.getByRole('tab', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe >> nth=-1');
  const output = preview.locator('output');
  await expect(output).toHaveText('at / null');
  await preview.getByRole('link', { name: 'one' }).click();
  await preview.getByRole('link', { name: 'two' }).click();
  await expect(output).toHaveText('at /two {"from":"two"}');
  await preview.getByRole('button', { name: 'far back' }).click();
  await preview.getByRole('button', { name: 'back', exact: true }).click();
  await expect(output).toHaveText('at /one {"from":"one"}');
  const back = preview.getByRole('button', { name: 'back', exact: true });
  await back.click();
  await expect(output).toHaveText('at / null');
  await back.click();
  await back.click();
  await expect(output).toHaveText('at / null');
  await expect(studio.message).toBeVisible();
});

test('forms, windows and links in SVGs open pages; broken ones are reported', async ({ studio, page }) => {
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
  await page.getByRole('tab', { name: 'Preview' }).click();
  const pane = page.getByRole('region', { name: 'Preview' });
  const preview = pane.frameLocator('iframe >> nth=-1');
  const home = async () => {
    await preview.getByRole('link', { name: 'Home' }).click();
    await expect(preview.getByRole('button', { name: 'Search' })).toBeVisible();
  };
  await preview.getByRole('button', { name: 'Search' }).click();
  await expect(preview.getByText('found ?q=a+b')).toBeVisible();
  await home();
  await preview.getByRole('button', { name: 'Open' }).click();
  await expect(preview.getByText('found')).toBeVisible();
  await home();
  await preview.getByText('Drawn').click();
  await expect(preview.getByText('found')).toBeVisible();
  await home();
  await preview.getByRole('link', { name: 'Missing' }).click();
  await pane.getByRole('button', { name: '1 warning' }).click();
  await expect(pane.getByText('The link to "missing.html" leads nowhere')).toBeVisible();
  await pane.getByRole('button', { name: 'Close' }).click();
  await preview.getByRole('link', { name: 'Out' }).click();
  await expect(pane.getByText('The link to https://elsewhere.example/ leads outside the workspace')).toBeVisible();
  await pane.getByRole('button', { name: 'Close' }).click();
  await pane.getByRole('button', { name: 'Page console' }).click();
  await preview.getByRole('button', { name: 'Send' }).click();
  await expect(pane.getByText('A preview has no server: the form was not sent.')).toBeVisible();
  await preview.getByRole('link', { name: 'Save' }).click();
  await expect(pane.getByText('A preview cannot save files: "x.txt".')).toBeVisible();
  await expect(pane.getByText('Page loaded. /found.html').first()).toBeVisible();
});

test('a page that cannot be built does not show the previous one; a renamed page is followed', async ({
  studio,
  bench,
  page,
}) => {
  studio.expectedProblems.push('of the first');
  await studio.open({
    files: {
      '/index.html': '<p>first page</p><a href="broken.html">next</a><script>throw new Error("of the first")</script>',
      '/broken.html': '<script type="module">import "./none.js";</script>',
      '/another.html': '<p>another page</p>',
    },
  });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const pane = page.getByRole('region', { name: 'Preview' });
  const preview = pane.frameLocator('iframe >> nth=-1');
  await expect(pane.getByText('Error: of the first')).toBeVisible();
  bench.model.script('Rename it', [
    { calls: [{ name: 'move_path', arguments: '{"from":"/index.html","to":"/main.html"}' }] },
    { text: 'Renamed.' },
  ]);
  await studio.say('Rename it');
  await expect(page.locator('iframe[title="/main.html"]')).toHaveCount(1);
  await expect(preview.getByText('first page')).toBeVisible();
  await pane.getByRole('combobox', { name: 'Page' }).click();
  await page.getByRole('option', { name: '/broken.html' }).click();
  await expect(pane.getByText('There is no file for "./none.js"')).toBeVisible();
  await expect(pane.getByText('of the first')).toHaveCount(0);
  await expect(page.locator('iframe[title="/main.html"]')).toHaveCount(0);
});
