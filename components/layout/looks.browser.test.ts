import { describe, expect } from 'vitest';
import { page } from 'vitest/browser';
import { loadEditor } from '#components/editor/test/load-editor.ts';
import { emulateMedia, keyboard, resizeWindow } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';

loadEditor();

describe('looks', () => {
  test('the language setting switches everything to Chinese, and a reload keeps it', async ({ studio }) => {
    await studio.open();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: '简体中文' }).click();
    await expect.element(page.getByRole('dialog', { name: '设置' })).toBeVisible();
    await keyboard.press('Escape');
    for (const [role, name] of [
      ['textbox', '消息'],
      ['button', '发送'],
      ['navigation', '会话'],
      ['combobox', '模型'],
      ['button', '工具：浏览器、文件'],
      ['region', '编辑器'],
    ] as const) {
      await expect.element(page.getByRole(role, { name, exact: true })).toBeVisible();
    }
    await studio.reopen();
    await expect.element(page.getByRole('textbox', { name: '消息', exact: true })).toBeVisible();
    await expect.poll(() => document.documentElement.lang).toBe('zh-CN');
  });

  test('the first tab stop leads to the message box', async ({ studio }) => {
    await studio.open();
    await keyboard.press('Tab');
    await expect.element(page.getByRole('button', { name: 'Skip to the message box' })).toHaveFocus();
    await keyboard.press('Enter');
    await expect.element(studio.message).toHaveFocus();
  });

  test('what is typed while nothing has the focus goes into the message box', async ({ studio }) => {
    await studio.open();
    await keyboard.type('hello');
    await expect.element(studio.message).toHaveValue('hello');
    await expect.element(studio.message).toHaveFocus();
  });

  test('a narrow screen shows one pane at a time, and keeps a draft', async ({ studio }) => {
    await resizeWindow(390, 800);
    await studio.open({ files: { '/a.txt': 'alpha' } });
    await studio.message.fill('half a thought');
    await page.getByRole('tab', { name: 'Files' }).click();
    await expect.element(studio.message).not.toBeInTheDocument();
    await studio.openFile('a.txt', 'alpha');
    await page.getByRole('tab', { name: 'Chat' }).click();
    await expect.element(studio.message).toHaveValue('half a thought');
    const overflow = document.documentElement.scrollWidth - innerWidth;
    expect(overflow, 'nothing sticks out to the side').toBeLessThanOrEqual(0);
  });
});

test('code, prompts, and files read as they are written, without ligatures', async ({ studio }) => {
  const question = prompt('a -> b');
  await model.script(question, [{ text: 'It is `a => b`:\n\n```\na -> b\n```' }]);
  await studio.open({ files: { '/a.txt': 'a -> b' } });
  await studio.say(question);
  await studio.settled();
  await studio.openFile('a.txt', 'a -> b');
  await expect.element(studio.answers.locate('pre')).toBeVisible();
  const shown = ['article pre', 'article code', 'article [data-part]', '#composer textarea, textarea#composer'];
  const ligatures = shown.map((selector) => {
    const element = document.querySelector(selector);
    return [selector, element && getComputedStyle(element).fontVariantLigatures];
  });
  expect(ligatures).toEqual(shown.map((selector) => [selector, 'none']));
  const { fontFeatureSettings } = getComputedStyle(studio.editor.locate('.view-lines').element());
  expect(fontFeatureSettings).toContain('"calt" 0');
});

test('reduced motion: nothing moves by itself', async ({ studio }) => {
  await emulateMedia({ reducedMotion: 'reduce' });
  const question = prompt('Wait');
  await model.script(question, [{ text: 'x', hold: { after: 0, gate: `${question} never` } }]);
  await studio.open();
  await studio.say(question);
  await expect.element(page.getByText('Waiting for the model…')).toBeVisible();
  const moving = document
    .getAnimations()
    .filter(({ playState, effect }) => playState === 'running' && Number(effect?.getComputedTiming().duration) > 1);
  expect(moving).toEqual([]);
});
