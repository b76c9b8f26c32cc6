import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { press } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { prompt, replaceTurns } from '#e2e/lib/prompt.ts';
import { type Preview, test } from './test/preview-test.ts';

test('a module that throws does not prevent the next one from running', async ({ studio, preview }) => {
  await studio.open({
    files: {
      '/index.html':
        '<p id="p">none</p>\n<script type="module" src="first.js"></script>\n<script type="module">document.getElementById("p").textContent = "second";</script>',
      '/first.js': '\n\nthrow new Error("of the first");',
    },
  });
  preview.expectedErrors.push('of the first');
  await preview.show();
  await preview.expectText('second');
  await expect.element(preview.pane.getByText('Error: of the first')).toBeVisible();
  await expect.element(preview.pane.getByRole('button', { name: '/first.js:3:7' })).toBeVisible();
});

/** Waits until the page has this text in its link, and its last paragraph in view or not. */
const expectView = (preview: Preview, view: { text: string; hasEnd: boolean }): Promise<void> =>
  preview
    .expectValue(() => {
      const { top = Number.NaN, bottom = Number.NaN } = document.querySelector('p')?.getBoundingClientRect() ?? {};
      return { text: document.querySelector('a')?.textContent, hasEnd: top < innerHeight && bottom > 0 };
    })
    .toEqual(view);

test('a rebuilt page keeps its scroll position; another page starts at the top', async ({ studio, preview }) => {
  const long = (text: string) => `<a href="other.html">${text}</a><div style="height:5000px"></div><p>the end</p>`;
  await studio.open({ files: { '/index.html': long('first'), '/other.html': long('other') } });
  await preview.show();
  await preview.expectText('the end');
  await preview.evaluate(() => document.querySelector('p')?.scrollIntoView());
  await expectView(preview, { text: 'first', hasEnd: true });
  const question = prompt('Change it');
  await model.script(question, [...replaceTurns('/index.html', long('second')), { text: 'Changed.' }]);
  await studio.say(question);
  await expectView(preview, { text: 'second', hasEnd: true });
  await preview.evaluate(() => document.querySelector('a')?.click());
  await expectView(preview, { text: 'other', hasEnd: false });
  expect(await preview.evaluate(() => scrollY)).toBe(0);
});

test('scripts that pages load from other sites are served from the studio, without a request', async ({
  studio,
  preview,
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
  await preview.show();
  for (const text of ['max 3', 'of jQuery', '42 of Vue', 'of React', 'modules function 4'])
    await preview.expectText(text);
  await preview
    .expectValue(() => getComputedStyle(document.getElementById('jq') ?? document.body).textDecorationLine)
    .toBe('underline');
  await preview.expectValue(() => getComputedStyle(document.body).backgroundColor).toMatch(/oklch|rgb\((?!0, 0, 0, 0)/);
  await expect.element(preview.pane.getByRole('region', { name: 'Page problems' })).not.toBeInTheDocument();
});

test('a page that cannot be built does not show the previous one; a renamed page is followed', async ({
  studio,
  preview,
}) => {
  preview.expectedErrors.push('of the first');
  await studio.open({
    files: {
      '/index.html': '<p>first page</p><a href="broken.html">next</a><script>throw new Error("of the first")</script>',
      '/broken.html': '<script type="module">import "./none.js";</script>',
      '/another.html': '<p>another page</p>',
    },
  });
  await preview.show();
  await expect.element(preview.pane.getByText('Error: of the first')).toBeVisible();
  const question = prompt('Rename it');
  await model.script(question, [
    { calls: [{ name: 'move_path', arguments: '{"from":"/index.html","to":"/main.html"}' }] },
    { text: 'Renamed.' },
  ]);
  await studio.say(question);
  await expect.element(page.locate('iframe[title="/main.html"]')).toHaveLength(1);
  await preview.expectText('first page');
  await preview.pane.getByRole('combobox', { name: 'Page' }).click();
  await page.getByRole('option', { name: '/broken.html' }).click();
  await expect.element(preview.pane.getByText('There is no file for "./none.js"')).toBeVisible();
  await expect.element(preview.pane.getByText('of the first')).not.toBeInTheDocument();
  await expect.element(page.locate('iframe[title="/main.html"]')).not.toBeInTheDocument();
});

test('the console shows the page’s output, and runs code in the page', async ({ studio, preview }) => {
  await studio.open({
    files: {
      '/index.html': '<p id="x">before</p><script>console.log("started", { a: [1] }); alert("hi")</script>',
    },
  });
  await preview.show();
  await preview.showConsole();
  await expect.element(preview.pane.getByText('{a: [1]}')).toBeVisible();
  await expect.element(preview.pane.getByText('alert: hi')).toBeVisible();
  const input = preview.pane.getByRole('textbox', { name: 'Run JavaScript in the page' });
  await input.fill('document.getElementById("x").textContent = "after"; 6 * 7');
  await press(input, 'Enter');
  await expect.element(preview.pane.getByText('42', { exact: true })).toBeVisible();
  await preview.expectText('after');
});

test('an empty workspace says which files the preview looked for', async ({ studio, preview }) => {
  await studio.open({ files: { '/main.py': 'print(1)' } });
  await preview.show();
  await expect
    .element(preview.pane)
    .toContainText('The preview shows index.html or any other .html, .md, or .svg file');
});

test('a page has the URL that it would have on a server, with the link’s query', async ({ studio, preview }) => {
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
  await preview.show();
  const address = () => document.querySelector('output')?.textContent;
  await preview.expectValue(address).toBe('/');
  await preview.page.getByRole('link', { name: 'Item' }).click();
  await preview.expectValue(address).toBe('/shop/item.html?id=42#end');
  await preview.expectValue(() => document.querySelector('p')?.textContent).toBe('n is 7 false true');
  await preview
    .expectValue(() => {
      const { top = -1, bottom = Infinity } = document.getElementById('end')?.getBoundingClientRect() ?? {};
      return top >= 0 && bottom <= innerHeight;
    })
    .toBe(true);
});
