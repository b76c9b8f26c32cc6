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
