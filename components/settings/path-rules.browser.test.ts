import { describe, expect } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { evaluateIn, keyboard, press } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { evalCall, prompt, readCall, writeCall } from '#e2e/lib/prompt.ts';

const SECRET = 'TOP-SECRET';
const FILES = {
  '/.env': `KEY=${SECRET}\n`,
  '/app/secrets/key.txt': `${SECRET}\n`,
  '/README.md': 'Hello\n',
  '/index.html':
    '<title>Page</title><script>fetch("/.env").then((r) => r.text()).then(console.log, () => console.log("refused"))</script>',
};

const rule = (pattern: string, policy: 'deny' | 'ask' | 'allow') => ({ pattern, effects: ['read', 'write'], policy });
const ALLOWED = { files: { execute: 'allow' }, browser: { execute: 'allow' } };
const bashCall = (command: string) => [{ name: 'execute_bash', arguments: JSON.stringify({ command }) }];
const previewCall = (name: string, input: object = {}) => [{ name, arguments: JSON.stringify(input) }];

const rules = page.getByRole('region', { name: 'Rules for files and folders' });
const ruleFor = (pattern: string): Locator => rules.getByRole('listitem', { name: `Rule for ${pattern}`, exact: true });

async function addRule(pattern: string): Promise<void> {
  await rules.getByRole('textbox', { name: 'Pattern for a new rule' }).fill(pattern);
  await rules.getByRole('button', { name: 'Add rule' }).click();
}

test('a path that is denied is out of reach for tools, commands, and code', async ({ studio }) => {
  const question = prompt('What is the key?');
  await model.script(question, [
    { calls: readCall('/.env') },
    { calls: writeCall('/app/secrets/new.txt', 'x') },
    { calls: bashCall('cat .env; cp -r app copy; ln -s .env link; cat link; cat README.md') },
    { calls: evalCall('await vfs.readFile("/app/../.env")') },
    { calls: bashCall('grep -r TOP .; mv app other; cat other/secrets/key.txt') },
    { text: 'I could not read it.' },
  ]);
  await studio.open({
    files: FILES,
    settings: {
      defaultModel: 'scripted',
      permissions: ALLOWED,
      pathRules: [rule('.env*', 'deny'), rule('**/secrets/**', 'deny')],
    },
  });
  await studio.say(question);
  await studio.settled();
  await expect.element(studio.call('read_file')).toHaveAttribute('data-state', 'denied');
  await expect.element(studio.call('write_file')).toHaveAttribute('data-state', 'denied');
  const results = JSON.stringify(await studio.turns());
  expect(results).not.toContain(SECRET);
  expect(results).toContain('Refused: /.env: one of the user’s rules protects this path.');
  expect(results).toContain('Hello');
  const files = await studio.workspace();
  expect([...files.keys()].filter((path) => path.startsWith('/copy') || path.startsWith('/other'))).toEqual([]);
  expect(files.get('/.env')).toBe(FILES['/.env']);
});

test('a path that is denied is not out of reach for the user', async ({ studio }) => {
  await studio.open({ files: FILES, settings: { pathRules: [rule('.env*', 'deny')] } });
  await studio.files.getByRole('treeitem', { name: '.env', exact: true }).click();
  await expect.element(studio.editor.locate('.view-lines'), { timeout: 20_000 }).toContainText(SECRET);
});

test('a path to be asked about asks each time, and nothing that lasts is offered', async ({ studio }) => {
  const question = prompt('Read the key');
  await model.script(question, [
    { calls: readCall('/.env') },
    { calls: readCall('/.env') },
    { calls: readCall('/README.md') },
    { text: 'Done.' },
  ]);
  await studio.open({ files: FILES, settings: { defaultModel: 'scripted', pathRules: [rule('.env', 'ask')] } });
  await studio.say(question);
  const card = studio.call('read_file');
  await expect.element(card).toContainText('Your rule “.env” requires your approval for /.env.');
  await expect.element(studio.allow).not.toBeInTheDocument();
  await studio.allowOnce.click();
  await expect.element(studio.call('read_file', 1)).toHaveAttribute('data-state', 'asking');
  await studio.deny.click();
  await studio.settled();
  await expect.element(studio.call('read_file', 1)).toHaveAttribute('data-state', 'denied');
  await expect.element(studio.call('read_file', 2)).toHaveAttribute('data-state', 'done');
});

test('code asks in the middle, with the path', async ({ studio }) => {
  const question = prompt('Read it with code');
  await model.script(question, [{ calls: evalCall('(await vfs.readFile("/.env")).length') }, { text: 'Done.' }]);
  await studio.open({
    files: FILES,
    settings: { defaultModel: 'scripted', permissions: ALLOWED, pathRules: [rule('.env', 'ask')] },
  });
  await studio.say(question);
  const card = studio.call('browser_js_eval');
  await expect.element(card).toContainText('Your rule “.env” requires your approval for /.env.');
  await studio.allowOnce.click();
  await studio.settled();
  await expect.element(card).toHaveAttribute('data-state', 'done');
});

test('a page that the model opens is built and runs without protected files', async ({ studio }) => {
  const question = prompt('Open the page');
  await model.script(question, [
    { calls: previewCall('preview_open', { entry: '/index.html' }) },
    { calls: previewCall('preview_console') },
    { text: 'Done.' },
  ]);
  await studio.open({
    files: FILES,
    settings: { defaultModel: 'scripted', permissions: ALLOWED, pathRules: [rule('.env*', 'deny')] },
  });
  await studio.say(question);
  await studio.settled();
  const results = JSON.stringify(await studio.turns());
  expect(results).toContain('/index.html is running');
  expect(results).not.toContain(SECRET);
});

/** A page that stores what it can read of the protected file, and prints the length of what it finds stored. */
const KEEPER = `<title>Page</title><p id="p">new</p><script>
console.log('kept', localStorage.k ?? 'nothing');
document.title = 'Title ' + (localStorage.k ?? '');
fetch('/.env').then((r) => (r.ok ? r.text() : '')).catch(() => '').then((text) => {
  if (text) localStorage.k = text;
  document.getElementById('p').textContent = 'ready ' + text.length;
  // The stored data is reported first.
  queueMicrotask(() => console.log('stored ' + text.length));
});
</script>`;

const preview = page.getByRole('region', { name: 'Preview' });

/** The frame of the page that is shown. */
const shown = preview.locate('iframe').last();

/** Waits until the studio has received what the page has stored. */
async function hasStored(): Promise<void> {
  const toggle = preview.getByRole('button', { name: 'Page console' });
  await toggle.click();
  await expect.element(preview.getByRole('log')).toContainText('stored 15');
  await toggle.click();
}

test('a page that the model opens does not find what a page of the user has stored', async ({ studio }) => {
  const question = prompt('Look at the page');
  await model.script(question, [
    { calls: previewCall('preview_console') },
    { calls: previewCall('preview_open', { entry: '/index.html' }) },
    { calls: previewCall('preview_console') },
    { text: 'Done.' },
  ]);
  await studio.open({
    files: { ...FILES, '/index.html': KEEPER },
    settings: { defaultModel: 'scripted', permissions: ALLOWED, pathRules: [rule('.env*', 'deny')] },
  });
  await page.getByRole('tab', { name: 'Preview' }).click();
  await expect.poll(() => evaluateIn(shown, () => document.body.innerText)).toContain('ready 15');
  await hasStored();
  await studio.say(question);
  await studio.settled();
  await expect.element(studio.call('preview_console')).toHaveAttribute('data-state', 'denied');
  const results = JSON.stringify(await studio.turns());
  expect(results).toContain('was opened with all files');
  expect(results).toContain('kept nothing');
  expect(results).not.toContain(SECRET);
  // The user's own page still has it.
  await expect.poll(() => evaluateIn(shown, () => document.body.innerText)).toContain('ready 0');
  await preview.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => evaluateIn(shown, () => document.body.innerText)).toContain('ready 15');
});

test('a page that the model edits while the user has it open tells the model nothing', async ({ studio }) => {
  const [first, second] = [prompt('Improve the page'), prompt('Open the page')];
  await model.script(first, [
    { calls: readCall('/index.html') },
    { calls: writeCall('/index.html', KEEPER) },
    { text: 'Improved.' },
  ]);
  await model.script(second, [{ calls: previewCall('preview_open', { entry: '/index.html' }) }, { text: 'Done.' }]);
  await studio.open({
    files: { ...FILES, '/index.html': '<title>Page</title><p>old</p>' },
    settings: { defaultModel: 'scripted', permissions: ALLOWED, pathRules: [rule('.env*', 'deny')] },
  });
  await page.getByRole('tab', { name: 'Preview' }).click();
  await expect.poll(() => evaluateIn(shown, () => document.body.innerText)).toContain('old');
  await studio.say(first);
  await studio.settled();
  await expect.poll(() => evaluateIn(shown, () => document.body.innerText)).toContain('ready 15');
  await hasStored();
  await studio.say(second);
  await studio.settled(2);
  const results = JSON.stringify(await studio.turns());
  expect(results).toContain('kept nothing');
  expect(results).not.toContain(SECRET);
});

test('code of the model that keeps running gets no protected files while the user’s code runs', async ({ studio }) => {
  const [first, second] = [prompt('Prepare'), prompt('Collect')];
  const ask =
    'globalThis.found = []; globalThis.timer = setInterval(() => { vfs.readFile("/.env").then((x) => found.push(x), (e) => found.push(String(e))); vfs.writeFile("/.env", "OWNED").catch(() => {}); }, 5); 1';
  await model.script(first, [{ calls: evalCall(ask) }, { text: 'Prepared.' }]);
  await model.script(second, [
    { calls: evalCall('clearInterval(timer); [...new Set(found)].join(" | ")') },
    { text: 'Done.' },
  ]);
  await studio.open({
    files: FILES,
    settings: { defaultModel: 'scripted', permissions: ALLOWED, pathRules: [rule('.env*', 'deny')] },
  });
  await studio.say(first);
  await studio.settled();
  await page.getByRole('tab', { name: 'Console' }).click();
  await expect.element(page.getByText('your own code can’t use files protected by your rules')).toBeVisible();
  const code = page.getByRole('textbox', { name: 'Run JavaScript' });
  await code.fill('await new Promise((resolve) => setTimeout(() => resolve("waited"), 300))');
  await press(code, 'Enter');
  const log = page.getByRole('log', { name: 'Console output' });
  await expect.element(log.getByText('waited').last()).toBeVisible();
  await studio.say(second);
  await studio.settled(2);
  const results = JSON.stringify(await studio.turns());
  expect(results).toContain('code of the model has run in this session');
  expect(results).not.toContain(SECRET);
  expect((await studio.workspace()).get('/.env')).toBe(FILES['/.env']);
  // In a new session, the user has all files.
  await page.getByRole('button', { name: 'Reset session' }).click();
  await expect.element(page.getByText('your own code can’t use files protected by your rules')).not.toBeInTheDocument();
  await code.fill('await vfs.readFile("/.env")');
  await press(code, 'Enter');
  await expect.element(log.getByText(SECRET).last()).toBeVisible();
});

test('problems in files do not quote a protected script that is open in the editor', async ({ studio }) => {
  const question = prompt('Check the files');
  const check = (path: string) => [{ name: 'get_diagnostics', arguments: JSON.stringify({ path }) }];
  await model.script(question, [
    { calls: writeCall('/probe.ts', 'const probe: never = API_KEY;\n') },
    {
      calls: writeCall(
        '/module.ts',
        "import { OTHER_KEY } from 'file://first/secret/other';\nconst probe: never = OTHER_KEY;\nexport {};\n",
      ),
    },
    { calls: writeCall('/broken.ts', 'const = 1;\n') },
    { calls: check('/probe.ts') },
    { calls: check('/') },
    { text: 'Done.' },
  ]);
  await studio.open({
    files: {
      '/secret/key.ts': `const API_KEY = '${SECRET}';\n`,
      '/secret/other.ts': `export const OTHER_KEY = '${SECRET}';\n`,
    },
    settings: { defaultModel: 'scripted', permissions: ALLOWED, pathRules: [rule('/secret', 'deny')] },
  });
  await studio.files.getByRole('treeitem', { name: 'secret', exact: true }).click();
  for (const name of ['other.ts', 'key.ts']) {
    await studio.files.getByRole('treeitem', { name, exact: true }).click();
    await expect.element(studio.editor.locate('.view-lines'), { timeout: 20_000 }).toContainText(SECRET);
  }
  await studio.say(question);
  await studio.settled();
  const results = JSON.stringify(await studio.turns());
  expect(results).toContain('Types were not checked');
  // Errors that a file has by itself are still found.
  expect(results).toContain('/broken.ts:1:7 error');
  expect(results).not.toContain(SECRET);
});

describe('in the settings', () => {
  test('rules are added, changed and deleted, apply at once, and show the past calls that they would have matched', async ({
    studio,
  }) => {
    const [first, second] = [prompt('One'), prompt('Two')];
    await model.script(first, [{ calls: readCall('/.env') }, { calls: readCall('/README.md') }, { text: 'Done.' }]);
    await model.script(second, [{ calls: readCall('/.env') }, { text: 'Done.' }]);
    await studio.open({ files: FILES });
    await studio.say(first);
    await studio.settled();
    await studio.openSettings('Permissions');
    await expect.element(rules).toContainText('No rules.');
    await addRule('.env*');
    const added = ruleFor('.env*');
    await added.getByRole('button', { name: 'Would have matched: 1 past call' }).click();
    await expect
      .element(added.getByRole('list', { name: 'Past calls' }))
      .toContainText(`read_file: /.env, in “${first}”`);
    await added.getByRole('checkbox', { name: 'Read' }).click();
    await expect.element(added).toContainText('Would have matched: 0 past calls');
    await added.getByRole('checkbox', { name: 'Write' }).click();
    await expect.element(added).toContainText('This rule has no effect. Choose Read, Write, or both.');
    await added.getByRole('checkbox', { name: 'Read' }).click();
    await keyboard.press('Escape');
    await studio.say(second);
    await studio.settled(2);
    await expect.element(studio.call('read_file', 2)).toHaveAttribute('data-state', 'denied');

    await studio.reopen();
    await studio.openSettings('Permissions');
    await ruleFor('.env*').getByRole('button', { name: 'Delete the rule for .env*' }).click();
    await expect.element(rules).toContainText('No rules.');
  });

  test('a rule that can match nothing is marked with the reason, and a wrong pattern is refused', async ({
    studio,
  }) => {
    await studio.open({ files: FILES });
    await studio.openSettings('Permissions');
    await addRule('.env!(');
    await expect.element(rules).toContainText('This pattern isn’t complete');
    await addRule('!.env');
    await expect.element(rules).toContainText('A pattern can’t begin with “!”.');
    await addRule('*(*a*)b');
    await expect.element(rules).toContainText('its alternatives must begin with different characters');
    await addRule('../outside');
    await expect.element(ruleFor('../outside')).toContainText('No path contains “.” or “..” as a name');
    await addRule('**/secrets/**');
    await addRule('/app/secrets/key.txt');
    await expect
      .element(ruleFor('/app/secrets/key.txt'))
      .toContainText('The rule “**/secrets/**” (Deny) already applies to everything it could match.');
    await expect.element(ruleFor('**/secrets/**')).not.toContainText('no effect');
    // A pattern can be changed in its place.
    const pattern = ruleFor('../outside').getByRole('textbox', { name: 'Pattern' });
    await pattern.fill('outside');
    await press(pattern, 'Enter');
    await expect.element(ruleFor('outside')).not.toContainText('no effect');
  });

  test('a pattern that is being changed does not move to another rule', async ({ studio }) => {
    const pathRules = [rule('first', 'deny'), rule('second', 'deny'), rule('third', 'deny')];
    await studio.open({ files: FILES, settings: { pathRules } });
    await studio.openSettings('Permissions');
    const patterns = rules.getByRole('textbox', { name: 'Pattern', exact: true });
    await patterns.nth(1).fill('!unfinished');
    await expect.element(rules).toContainText('A pattern can’t begin with “!”.');
    await ruleFor('first').getByRole('button', { name: 'Delete the rule for first' }).click();
    await expect.element(patterns).toHaveLength(2);
    await expect.element(patterns.nth(1)).toHaveValue('third');
    await expect.element(patterns.nth(0)).toHaveValue('!unfinished');
    await patterns.nth(0).fill('changed');
    await press(patterns.nth(0), 'Enter');
    await expect.element(ruleFor('changed')).toBeVisible();
    await expect.element(ruleFor('third')).toBeVisible();
    await expect.element(ruleFor('second')).not.toBeInTheDocument();
  });
});
