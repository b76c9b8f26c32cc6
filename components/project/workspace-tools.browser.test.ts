import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { loadEditor } from '#components/editor/test/load-editor.ts';
import { keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt, writeCall } from '#e2e/lib/prompt.ts';

loadEditor();

const COUNT = `export const spec = {
  description: 'Counts the words of a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

export async function run({ path }, { vfs }) {
  const text = await vfs.readFile(path);
  console.log('read ' + path);
  return { words: text.split(' ').length };
}
`;

test('the model writes a tool, the person allows it, and the model uses it in the same answer or later', async ({
  studio,
}) => {
  await studio.open({ files: { '/notes.md': 'one two three' } });
  const writing = prompt('Write a tool that counts words');
  await model.script(writing, [
    { calls: writeCall('/.roundtrip/tools/count_words.js', COUNT) },
    { text: 'Please allow it.' },
  ]);
  await studio.say(writing);
  await studio.settled();
  await expect
    .element(page.getByText('/.roundtrip/tools/count_words.js. Nothing is used until you allow it.'))
    .toBeVisible();

  const early = prompt('Count too early');
  await model.script(early, [
    { calls: [{ name: 'count_words', arguments: '{"path":"/notes.md"}' }] },
    { text: 'It is not there.' },
  ]);
  await studio.say(early);
  await studio.settled(2);
  expect(JSON.stringify((await model.requestsFor(early)).at(-1)?.messages)).toContain(
    'The user has not allowed /.roundtrip/tools/count_words.js as it is now. Ask them to',
  );

  await page.getByRole('button', { name: 'Review…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Project files in this workspace' });
  await expect.element(dialog).toContainText('Its code runs in the sandbox.');
  await expect.element(dialog).toContainText("console.log('read ' + path)");
  await dialog.getByRole('switch', { name: 'Allow /.roundtrip/tools/count_words.js' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();

  const counting = prompt('Count');
  await model.script(counting, [
    { calls: [{ name: 'count_words', arguments: '{"path":"/notes.md"}' }] },
    { text: 'Three words.' },
  ]);
  await studio.say(counting);
  const card = studio.call('count_words', -1);
  await card.getByRole('button', { name: 'Allow once' }).click();
  await studio.settled(3);
  const [first] = await model.requestsFor(counting);
  expect(JSON.stringify(first?.tools)).toContain('Counts the words of a file.');
  const sent = JSON.stringify((await model.requestsFor(counting)).at(-1)?.messages);
  expect(sent).toContain('read /notes.md');
  expect(sent).toContain('words\\":3}');

  // The model changes it: it is not offered any more, until the person has allowed that, too.
  const changing = prompt('Change it');
  await model.script(changing, [
    { calls: writeCall('/.roundtrip/tools/count_words.js', COUNT.replace('Counts', 'Sends')) },
    { calls: [{ name: 'count_words', arguments: '{"path":"/notes.md"}' }] },
    { text: 'Changed.' },
  ]);
  await studio.say(changing);
  await studio.settled(4);
  expect(JSON.stringify((await model.requestsFor(changing)).at(-1)?.messages)).toContain('There is no tool');
  await page.getByRole('button', { name: 'Review…' }).click();
  await expect.element(dialog).toContainText('It has changed since you allowed it:');
  await expect.element(dialog.locate('.text-diff')).toContainText('Sends the words of a file.');
});

test('a tool that throws says where, and one that never ends is stopped', async ({ studio }) => {
  await studio.open({
    files: {
      '/.roundtrip/tools/throwing.js':
        "export const spec = { description: 'Throws.', effect: 'read' };\n\nexport function run() {\n  const missing = undefined;\n  return missing.value;\n}\n",
      '/.roundtrip/tools/looping.js':
        "export const spec = { description: 'Loops.', effect: 'read', timeout: 1 };\nexport function run() { for (;;); }\n",
      '/.roundtrip/tools/writing.js':
        "export const spec = { description: 'Writes.', effect: 'read' };\nexport const run = (_, { vfs }) => vfs.writeFile('/a', 'x');\n",
      '/.roundtrip/tools/empty.js': 'export const run = () => 1;\n',
    },
  });
  await page.getByRole('button', { name: 'Review…' }).click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog).toContainText('/.roundtrip/tools/empty.js Not used. It has no spec.');
  for (const name of ['throwing', 'looping', 'writing'])
    await dialog.getByRole('switch', { name: `Allow /.roundtrip/tools/${name}.js` }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  const question = prompt('Use them');
  await model.script(question, [
    { calls: ['throwing', 'looping', 'writing'].map((name) => ({ name, arguments: '{}' })) },
    { text: 'They failed.' },
  ]);
  await studio.say(question);
  await studio.settled();
  const sent = JSON.stringify((await model.requestsFor(question)).at(-1)?.messages);
  expect(sent).toContain('at /.roundtrip/tools/throwing.js:5: return missing.value;');
  expect(sent).toContain('The code ran longer than 1 second');
  expect(sent).toContain('This tool says that it only reads');
});

test('a new tool comes from a template, and can be tried in the console', async ({ studio }) => {
  await studio.open({ files: { '/notes.md': 'one two three' } });
  await keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Command palette' }).fill('New tool');
  await keyboard.press('Enter');
  await expect.element(studio.editor).toContainText('Counts the words of a text file');
  await page.getByRole('tab', { name: 'Console' }).click();
  await page.getByRole('button', { name: 'Try a tool from this workspace' }).click();
  await page.getByRole('menuitem', { name: 'my_tool' }).click();
  const input = page.getByRole('textbox', { name: 'Run JavaScript in this thread’s sandbox' });
  await expect.element(input).toHaveValue("await tool('my_tool', { path: '' })");
  await input.fill("await tool('my_tool', { path: '/notes.md' })");
  await keyboard.press('Enter');
  await expect.element(page.getByRole('log', { name: 'Console output' })).toContainText('words: 3');
});

test('a prompt of the workspace is inserted with “/” once it is allowed', async ({ studio }) => {
  await studio.open({
    files: {
      '/.roundtrip/prompts/review.md':
        '---\ndescription: Reviews a file\narguments:\n  - name: path\n  - name: focus\n    required: false\n---\nReview {{path}}. {{focus}}\nName line numbers.\n',
      '/.roundtrip/prompts/plan.md': 'Make a plan, and wait.\n',
    },
  });
  await studio.message.fill('/');
  const list = page.getByRole('listbox', { name: 'Commands' });
  await expect.element(list).toBeVisible();
  await expect.element(list).not.toContainText('prompt:');
  await expect.element(list).not.toContainText('/plan');
  await studio.message.fill('');

  await page.getByRole('button', { name: 'Review…' }).click();
  const dialog = page.getByRole('dialog');
  for (const name of ['review', 'plan'])
    await dialog.getByRole('switch', { name: `Allow /.roundtrip/prompts/${name}.md` }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();

  await studio.message.fill('/plan');
  await expect.element(page.getByRole('option', { name: '/plan' })).toBeVisible();
  await keyboard.press('Enter');
  await expect.element(studio.message).toHaveValue('Make a plan, and wait.');

  await studio.message.fill('');
  // A command of the studio keeps its name.
  await studio.message.fill('/review');
  await page.getByRole('option', { name: '/prompt:review' }).click();
  const form = page.getByRole('dialog', { name: 'Prompt: review' });
  await form.getByRole('button', { name: 'Insert' }).click();
  await expect.element(form.getByRole('alert')).toHaveText('Fill in path.');
  await form.getByRole('textbox', { name: 'path' }).fill('/notes.md');
  await form.getByRole('button', { name: 'Insert' }).click();
  await expect.element(studio.message).toHaveValue('Review /notes.md. \nName line numbers.');
  await expect.element(studio.message).toHaveFocus();
});
