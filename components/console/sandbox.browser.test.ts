import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { keyboard, press, requestsDuring } from '#components/test/browser.ts';
import { evaluateAll } from '#components/test/evaluate-all.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';
import type { SandboxFiles } from '#lib/tools/capabilities/sandbox.ts';

const NO_FILES: SandboxFiles = {
  read: () => Promise.reject(new Error('There are no files.')),
  write: () => Promise.reject(new Error('There are no files.')),
  list: () => Promise.reject(new Error('There are no files.')),
};

const NEW = '\n[A new session began with this call: nothing from earlier calls is available.]';

test('code works on the workspace’s files as tools do, and its changes belong to its call', async ({ studio }) => {
  await studio.open({ files: { '/notes/a.txt': 'one' } });
  const results = await evaluateAll(studio, [
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
  await expect.element(card).toHaveAttribute('data-state', 'done');
});

test('[R5] a file that code may not write without permission asks, while its time limit is paused', async ({
  studio,
}) => {
  const question = prompt('Write one');
  const code = 'await vfs.writeFile("/asked.txt", "x")';
  await model.script(question, [
    { calls: [{ name: 'browser_js_eval', arguments: JSON.stringify({ code, timeout: 1 }) }] },
    { text: 'Written.' },
  ]);
  await studio.open();
  await studio.openSettings('Permissions');
  await page.getByRole('combobox', { name: /files.*write/i }).click();
  await page.getByRole('option', { name: 'Ask' }).click();
  await keyboard.press('Escape');
  await studio.say(question);
  await studio.allow.click();
  await expect.element(page.getByText('/asked.txt').last()).toBeVisible();
  await expect.element(studio.allow).toBeVisible();
  // Other code with the same limit runs out of time meanwhile.
  await expect(
    (await studio.studio()).sandbox.evaluatorOf('another').evaluate('await new Promise(() => {})', {
      timeoutMs: 1_000,
      abortSignal: new AbortController().signal,
      files: NO_FILES,
    }),
  ).rejects.toMatchObject({ code: 'timed-out' });
  await studio.allow.click();
  await studio.settled();
  expect((await studio.workspace()).get('/asked.txt')).toBe('x');
});

test('a value can be expanded, and a canvas is an image', async ({ studio }) => {
  await studio.open();
  await evaluateAll(studio, [
    '({ list: [1, 2, { deep: true }], text: "a\\nb" })',
    'console.log("drawn", { by: "code" }); const c = document.createElement("canvas"); c.width = 40; c.height = 20; c.getContext("2d").fillRect(0, 0, 20, 20); c',
  ]);
  const cards = page.getByRole('group', { name: 'browser_js_eval' });
  await cards.first().getByRole('button').first().click();
  const value = cards.first().getByRole('button', { name: '{list: [1, 2, {deep: true}], text: "a\\nb"}' });
  await value.click();
  await cards.first().getByRole('button', { name: '[1, 2, {deep: true}]', exact: true }).click();
  await cards.first().getByRole('button', { name: '{deep: true}', exact: true }).click();
  await expect.element(cards.first().getByText('deep:', { exact: true })).toBeVisible();
  await cards.nth(1).getByRole('button').first().click();
  await expect.element(cards.nth(1).getByRole('img', { name: 'Canvas, 40 by 20 pixels' })).toBeVisible();
});

test('an element is drawn without loading anything, with its markup beneath', async ({ studio }) => {
  // The sandbox refuses what the code tries, so nothing reaches the studio.
  studio.expectedProblems.push('img-src data: blob:', "named property 'hacked'");
  await studio.open();
  await evaluateAll(studio, [
    'const d = document.createElement("div"); d.innerHTML = `<svg width="30" height="20"><rect width="30" height="20" fill="red"/></svg>`; d.firstChild',
    'document.body.innerHTML = `<table style="width: 200px; height: 50px"><tr><td>cell</td></tr></table>`; document.querySelector("table")',
    'const b = document.createElement("p"); b.innerHTML = `<img src="https://elsewhere.example/x.png" onerror="top.hacked = 1"><script>top.hacked = 1</` + `script>text`; b',
  ]);
  const sizes: number[][] = [];
  const requests = await requestsDuring(async () => {
    for (const index of [0, 1, 2]) {
      const card = page.getByRole('group', { name: 'browser_js_eval' }).nth(index);
      await card.getByRole('button').first().click();
      const drawn = card.getByRole('img', { name: 'Rendered element' });
      const image = (await drawn.findElement()) as HTMLImageElement;
      await expect.poll(() => image.naturalWidth).toBeGreaterThan(0);
      sizes.push([image.naturalWidth, image.naturalHeight]);
    }
  });
  expect(sizes.slice(0, 2)).toEqual([
    [30, 20],
    [200, 50],
  ]);
  expect(requests.filter((url) => url.includes('elsewhere'))).toEqual([]);
  expect([window, parent, top].map((place) => place !== null && 'hacked' in place)).toEqual([false, false, false]);
  await page.getByText('Markup').first().click();
  await expect.element(page.getByText('<rect width="30"').first()).toBeVisible();
});

test('a message past its port ends the session of the code that sent it, and no other', async ({ studio }) => {
  await studio.open();
  const [sender, next] = await evaluateAll(studio, ['parent.postMessage(1, "*"); 1', '1 + 1']);
  expect(sender).toContain('The code sent messages directly to the studio’s page.');
  expect(next).toBe(`2${NEW}`);
});

test('changes of the history in a row are limited, as in browsers', async ({ studio }) => {
  await studio.open();
  const code = (kind: string) =>
    `let n = 0; try { for (;;) { history.${kind}State(n, '', '#' + n); n++ } } catch (error) { n + ': ' + error.message }`;
  const [first, second] = await evaluateAll(studio, [code('replace'), code('push')]);
  expect(first).toContain('200: At most 200 changes of the history are made in 10 seconds.');
  expect(second).toContain('0: At most 200 changes of the history are made in 10 seconds.');
});

test('each thread has its own session, and a reload starts a new one', async ({ studio }) => {
  await studio.open();
  expect(await evaluateAll(studio, ['let kept = 1; kept', 'kept'])).toEqual(['1', '1']);
  expect(await evaluateAll(studio, ['kept'])).toEqual(['1']);
  await studio.reopen();
  const [result] = await evaluateAll(studio, ['typeof kept']);
  expect(result).toBe(`undefined${NEW}`);
});

test('the console shows what ran, and the user continues in the same session', { timeout: 60_000 }, async ({
  studio,
}) => {
  studio.expectedProblems.push('Content Security Policy', 'violates', 'Failed to load', 'Fetch API');
  await studio.open({ files: { '/a.txt': 'one' } });
  await page.getByRole('tab', { name: 'Console' }).click();
  const console = page.getByRole('region', { name: 'Console' });
  // A new thread has its session before the first message.
  const prompt = console.getByRole('textbox', { name: 'Run JavaScript' });
  await prompt.fill('const early = 41 * 2; early');
  await press(prompt, 'Enter');
  await expect.element(console.getByRole('log')).toContainText('82');
  expect(await evaluateAll(studio, ['early'])).toEqual(['82']);
  await evaluateAll(studio, [
    'let kept = { by: "model" }; console.warn("careful"); kept',
    'fetch("https://elsewhere.example/x").catch(() => "refused")',
    'alert("hi"); window.open("https://popup.example/"); new Image().src = "https://picture.example/p.png"; confirm("sure?")',
    'null.x',
  ]);
  const log = console.getByRole('log');
  await expect.element(log).toContainText('careful');
  await expect.element(log).toContainText('Blocked: https://elsewhere.example/x (connect-src');
  await expect.element(log).toContainText('alert: hi');
  await expect.element(log).toContainText('the answer is "Cancel"');
  await expect.element(log).toContainText('Blocked: https://popup.example/ (popup');
  // Each attempt is listed once, although two policies report it.
  await expect.element(log.getByText('https://picture.example/p.png (img-src')).toHaveLength(1);
  await expect.element(log).toContainText('at line 1: null.x');
  await prompt.fill('kept.by = "person"; await vfs.writeFile("/b.txt", kept.by); kept');
  await press(prompt, 'Enter');
  await expect.element(log).toContainText('{by: "person"}');
  expect((await studio.workspace()).get('/b.txt')).toBe('person');
  expect(await evaluateAll(studio, ['kept'])).toEqual(['{by: "person"}']);
  // Endless code is stopped, and the next run starts in a new session.
  const endless = 'console.log("spin" + "ning"); for (;;);';
  await prompt.fill(endless);
  await press(prompt, 'Enter');
  // Code that is stopped before it runs does not change the session.
  await expect.element(log).toContainText('spinning');
  await console.getByRole('button', { name: 'Stop' }).click();
  await expect.element(log).toContainText('Stopped by the user while it was running.');
  await press(prompt, 'ArrowUp');
  await expect.element(prompt).toHaveValue(endless);
  await prompt.fill('typeof kept');
  await press(prompt, 'Enter');
  await expect.element(log).toContainText('undefined');
  await console.getByRole('button', { name: 'Clear console' }).click();
  await expect.element(log).toContainText('Nothing has run');
});
