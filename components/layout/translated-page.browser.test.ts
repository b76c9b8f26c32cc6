import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { frames } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { evalCall, prompt } from '#e2e/lib/prompt.ts';

/** Changes the page as a browser's translation does: replaces all texts, also later ones, by elements that contain them. */
function translatePage(): void {
  const translate = () => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) found.push(node as Text);
    for (const text of found) {
      const { parentElement } = text;
      if (text.data.trim() === '' || parentElement?.closest('font, [translate="no"], script, style, textarea'))
        continue;
      const outer = document.createElement('font');
      const inner = document.createElement('font');
      // The words stay the same, so that they can still be found.
      inner.append(text.data);
      outer.append(inner);
      text.replaceWith(outer);
    }
  };
  translate();
  const timer = setInterval(translate, 20);
  onTestFinished(() => clearInterval(timer));
}

test('a page that the browser translates goes on, and shows what is new', async ({ studio }) => {
  const [first, second] = [prompt('Compute'), prompt('And again')];
  await model.script(first, [
    { calls: evalCall('6 * 7') },
    { text: 'It is 42. And so it goes on.', piece: 4, delayMs: 20 },
  ]);
  await model.script(second, [{ text: 'Still 42.' }]);
  await studio.open({ files: { '/a.txt': 'one' } });
  translatePage();
  await frames(10);
  await studio.say(first);
  await studio.allow.click();
  await studio.settled();
  await expect.element(studio.answers.last()).toContainText('It is 42. And so it goes on.');
  await studio.say(second);
  await studio.settled(2);
  await expect.element(studio.answers.last()).toContainText('Still 42.');
  await page.getByRole('button', { name: 'New thread' }).click();
  await expect.element(page.getByRole('article')).not.toBeInTheDocument();
  await studio.threads.getByRole('link').click();
  await expect.element(studio.answers.last()).toContainText('Still 42.');
  await expect.element(page.getByText('Something went wrong')).not.toBeInTheDocument();
  // Names and code are not translated.
  expect((await studio.entry('a.txt').findElement()).querySelector('font')).toBeNull();
  expect(document.querySelectorAll('font').length).toBeGreaterThan(20);
});

test('texts that were replaced can be changed, removed, and preceded by others', async ({ studio }) => {
  await studio.open();
  const box = document.createElement('div');
  document.body.append(box);
  onTestFinished(() => box.remove());
  const root = createRoot(box);
  onTestFinished(() => root.unmount());
  const show = (...children: (string | false | ReturnType<typeof createElement>)[]) =>
    flushSync(() => root.render(createElement('p', undefined, ...children)));
  const mark = createElement('b', { key: 'mark' }, 'mark');
  show(false, 'one ', 'two ', mark);
  translatePage();
  await expect.poll(() => box.querySelectorAll('font > font').length).toBe(3);
  show(false, 'one ', 'three ', mark);
  expect(box.textContent).toBe('one three mark');
  await expect.poll(() => box.querySelectorAll('font > font').length).toBe(3);
  show('zero ', 'one ', 'three ', mark);
  expect(box.textContent).toBe('zero one three mark');
  await expect.poll(() => box.querySelectorAll('font > font').length).toBe(4);
  show('zero ', false, 'three ', mark);
  expect(box.textContent).toBe('zero three mark');
});
