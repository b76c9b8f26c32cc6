import { clickInFrame } from '../lib/click-in-frame.ts';
import { expect, test } from '../lib/fixtures.ts';
import { replaceTurns } from '../lib/prompt.ts';
import { REACT } from '../lib/react-project.ts';

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

test('a page goes back through its own history, and no further', async ({ studio, page }) => {
  await studio.open({
    files: {
      '/index.html':
        '<a href="#one">One</a><button onclick="history.back()">Back</button><output></output><script>onhashchange = () => { document.querySelector("output").textContent = "at " + location.hash; };</script>',
    },
  });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe >> nth=-1');
  await clickInFrame(preview.getByRole('link', { name: 'One' }));
  await expect(preview.getByText('at #one')).toBeVisible();
  const back = preview.getByRole('button', { name: 'Back' });
  await back.click();
  await expect(preview.locator('output')).toHaveText('at');
  await back.click();
  await back.click();
  await expect(preview.locator('output')).toHaveText('at');
  await expect(studio.message).toBeVisible();
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
  await clickInFrame(pane.frameLocator('iframe >> nth=-1').getByRole('button', { name: 'Fail' }));
  await expect(problems.getByRole('button', { name: '/index.html:6:8' })).toBeVisible();
});
