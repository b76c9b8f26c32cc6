import { expect, test } from './lib/fixtures.ts';
import { evaluateAll } from './lib/sandbox.ts';
import { openSettings } from './lib/studio-page.ts';

const NEW = '\n[A new session began with this call: nothing from earlier calls is available.]';

test('code works on the workspace’s files as tools do, and its changes belong to its call', async ({
  studio,
  bench,
  page,
}) => {
  await studio.open({ files: { '/notes/a.txt': 'one' } });
  const results = await evaluateAll({ bench, studio }, [
    'await vfs.readFile("/notes/a.txt")',
    'await vfs.writeFile("/notes/b.txt", (await vfs.readFile("/notes/a.txt")).toUpperCase())',
    'await vfs.list("/notes")',
    'await vfs.readFile("/none")',
    'await vfs.writeFile("/../x", "out")',
    'await vfs.writeFile("/large.txt", "x".repeat(1_000_001))',
    'await vfs.writeFile("/large.txt", "\\n".repeat(1_000_000))',
  ]);
  expect(results).toEqual([
    'one',
    'undefined',
    '[{name: "a.txt", type: "file", size: 3}, {name: "b.txt", type: "file", size: 3}]',
    expect.stringMatching(/^failed: Error: .*\/none/),
    expect.stringMatching(/^failed: Error: .*above the workspace root/),
    expect.stringMatching(/^failed: RangeError: At most 1000000 characters/),
    'undefined',
  ]);
  expect((await studio.workspace()).get('/notes/b.txt')).toBe('ONE');
  const card = page.getByRole('group', { name: 'browser_js_eval' }).nth(1);
  await expect(card).toHaveAttribute('data-state', 'done');
});

test('[R5] a file that code may not write without permission asks, while its time limit is paused', async ({
  studio,
  bench,
  page,
}) => {
  await studio.open();
  await openSettings(page, 'Permissions');
  await page.getByRole('combobox', { name: /files.*write/i }).click();
  await page.getByRole('option', { name: 'Ask' }).click();
  await page.keyboard.press('Escape');
  const code = 'await vfs.writeFile("/asked.txt", "x")';
  bench.model.script('Write one', [
    { calls: [{ name: 'browser_js_eval', arguments: JSON.stringify({ code, timeout: 1 }) }] },
    { text: 'Written.' },
  ]);
  await studio.say('Write one');
  await studio.allow.click();
  await expect(page.getByText('/asked.txt', { exact: false }).last()).toBeVisible();
  await expect(studio.allow).toBeVisible();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await studio.allow.click();
  await studio.settled();
  expect((await studio.workspace()).get('/asked.txt')).toBe('x');
});

test('a value can be expanded, and a canvas is an image', async ({ studio, bench, page }) => {
  await studio.open();
  await evaluateAll({ bench, studio }, [
    '({ list: [1, 2, { deep: true }], text: "a\\nb" })',
    'console.log("drawn", { by: "code" }); const c = document.createElement("canvas"); c.width = 40; c.height = 20; c.getContext("2d").fillRect(0, 0, 20, 20); c',
  ]);
  const cards = page.getByRole('group', { name: 'browser_js_eval' });
  await cards.first().getByRole('button').first().click();
  const value = cards.first().getByRole('button', { name: '{list: [1, 2, {deep: true}], text: "a\\nb"}' });
  await value.click();
  await cards.first().getByRole('button', { name: '[1, 2, {deep: true}]', exact: true }).click();
  await cards.first().getByRole('button', { name: '{deep: true}', exact: true }).click();
  await expect(cards.first().getByText('deep:', { exact: true })).toBeVisible();
  await cards.nth(1).getByRole('button').first().click();
  await expect(cards.nth(1).getByRole('img', { name: 'Canvas, 40 by 20 pixels' })).toBeVisible();
});

test('an element is drawn without loading anything, with its markup beneath', async ({ studio, bench, page }) => {
  // The sandbox refuses what the code tries, so nothing reaches the studio.
  studio.expectedProblems.push('img-src data: blob:', "named property 'hacked'");
  await studio.open();
  await evaluateAll({ bench, studio }, [
    'const d = document.createElement("div"); d.innerHTML = `<svg width="30" height="20"><rect width="30" height="20" fill="red"/></svg>`; d.firstChild',
    'document.body.innerHTML = `<table style="width: 200px; height: 50px"><tr><td>cell</td></tr></table>`; document.querySelector("table")',
    'const b = document.createElement("p"); b.innerHTML = `<img src="https://elsewhere.example/x.png" onerror="top.hacked = 1"><script>top.hacked = 1</` + `script>text`; b',
  ]);
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('elsewhere')) foreign.push(request.url());
  });
  const sizes: number[][] = [];
  for (const index of [0, 1, 2]) {
    const card = page.getByRole('group', { name: 'browser_js_eval' }).nth(index);
    await card.getByRole('button').first().click();
    const drawn = card.getByRole('img', { name: 'Rendered element' });
    await expect.poll(() => drawn.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
    sizes.push(
      await drawn.evaluate((image) => {
        const { naturalWidth, naturalHeight } = image as HTMLImageElement;
        return [naturalWidth, naturalHeight];
      }),
    );
  }
  expect(sizes.slice(0, 2)).toEqual([
    [30, 20],
    [200, 50],
  ]);
  expect(foreign).toEqual([]);
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  await page.getByText('Markup').first().click();
  await expect(page.getByText('<rect width="30"').first()).toBeVisible();
});

test('changes of the history in a row are limited, as in browsers', async ({ studio, bench }) => {
  await studio.open();
  const code = (kind: string) =>
    `let n = 0; try { for (;;) { history.${kind}State(n, '', '#' + n); n++ } } catch (error) { n + ': ' + error.message }`;
  const [first, second] = await evaluateAll({ bench, studio }, [code('replace'), code('push')]);
  expect(first).toContain('200: At most 200 changes of the history are made in 10 seconds.');
  expect(second).toContain('0: At most 200 changes of the history are made in 10 seconds.');
});

test('each thread has its own session, and a reload starts a new one', async ({ studio, bench, page }) => {
  await studio.open();
  expect(await evaluateAll({ bench, studio }, ['let kept = 1; kept', 'kept'])).toEqual(['1', '1']);
  expect(await evaluateAll({ bench, studio }, ['kept'])).toEqual(['1']);
  await page.reload();
  const [result] = await evaluateAll({ bench, studio }, ['typeof kept']);
  expect(result).toBe(`undefined${NEW}`);
});

test('the console shows what ran, and the user continues in the same session', async ({ studio, bench, page }) => {
  studio.expectedProblems.push('Content Security Policy', 'violates', 'Failed to load', 'Fetch API');
  await studio.open({ files: { '/a.txt': 'one' } });
  await page.getByRole('tab', { name: 'Console' }).click();
  const console = page.getByRole('region', { name: 'Console' });
  // A new thread has its session before the first message.
  const prompt = console.getByRole('textbox', { name: 'Run JavaScript' });
  await prompt.fill('const early = 41 * 2; early');
  await prompt.press('Enter');
  await expect(console.getByRole('log')).toContainText('82');
  expect(await evaluateAll({ bench, studio }, ['early'])).toEqual(['82']);
  await evaluateAll({ bench, studio }, [
    'let kept = { by: "model" }; console.warn("careful"); kept',
    'fetch("https://elsewhere.example/x").catch(() => "refused")',
    'alert("hi"); window.open("https://popup.example/"); new Image().src = "https://picture.example/p.png"; confirm("sure?")',
    'null.x',
  ]);
  const log = console.getByRole('log');
  await expect(log).toContainText('careful');
  await expect(log).toContainText('Blocked: https://elsewhere.example/x (connect-src');
  await expect(log).toContainText('alert: hi');
  await expect(log).toContainText('the answer is "Cancel"');
  await expect(log).toContainText('Blocked: https://popup.example/ (popup');
  // Each attempt is listed once, although two policies report it.
  await expect(log.getByText('https://picture.example/p.png (img-src')).toHaveCount(1);
  await expect(log).toContainText('at line 1: null.x');
  await prompt.fill('kept.by = "person"; await vfs.writeFile("/b.txt", kept.by); kept');
  await prompt.press('Enter');
  await expect(log).toContainText('{by: "person"}');
  expect((await studio.workspace()).get('/b.txt')).toBe('person');
  expect(await evaluateAll({ bench, studio }, ['kept'])).toEqual(['{by: "person"}']);
  // Endless code is stopped, and the next run starts in a new session.
  const endless = 'console.log("spin" + "ning"); for (;;);';
  await prompt.fill(endless);
  await prompt.press('Enter');
  // Code that is stopped before it runs does not change the session.
  await expect(log).toContainText('spinning');
  await console.getByRole('button', { name: 'Stop' }).click();
  await expect(log).toContainText('Stopped by the user while it was running.');
  await prompt.press('ArrowUp');
  await expect(prompt).toHaveValue(endless);
  await prompt.fill('typeof kept');
  await prompt.press('Enter');
  await expect(log).toContainText('undefined');
  await console.getByRole('button', { name: 'Clear console' }).click();
  await expect(log).toContainText('Nothing has run');
});
