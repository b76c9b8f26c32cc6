import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { downloadOf } from '#components/test/browser.ts';
import { test } from '#components/test/studio-test.ts';
import { assistantMessage, storedThread, userMessage } from '#e2e/lib/stored-threads.ts';
import { dataUrl } from '#lib/base/data-url.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100"/>';

/** A thread whose question has a picture and a text. */
const THREAD = storedThread('files', [
  {
    ...userMessage('q', 'Look at these'),
    parts: [
      { type: 'text', text: 'Look at these' },
      {
        type: 'file',
        filename: 'wide.svg',
        mediaType: 'image/svg+xml',
        url: dataUrl('image/svg+xml', new TextEncoder().encode(SVG)),
      },
      {
        type: 'file',
        filename: 'note.txt',
        mediaType: 'text/plain',
        url: dataUrl('text/plain', new TextEncoder().encode('remember the milk')),
      },
    ],
  },
  assistantMessage('a', [{ type: 'text', text: 'I have.' }]),
]);

test('the files of a message are shown in a window, one at a time, enlarged, and downloaded', async ({ studio }) => {
  await studio.open({ threads: [THREAD], thread: 'files' });
  await page.getByRole('button', { name: 'Image wide.svg' }).click();
  const picture = page.getByRole('dialog', { name: 'wide.svg' }).getByRole('img', { name: 'wide.svg' });
  await expect.poll(() => (picture.element() as HTMLImageElement).width).toBe(400);
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(() => (picture.element() as HTMLImageElement).width).toBe(500);
  await userEvent.keyboard('{ArrowRight}');
  const text = page.getByRole('dialog', { name: 'note.txt' });
  await expect.element(text.getByText('remember the milk')).toBeVisible();
  await expect.element(text.getByText('2 of 2')).toBeVisible();
  const saved = await downloadOf(() => page.getByRole('button', { name: 'Download', exact: true }).click());
  expect([saved.name, await saved.blob.text()]).toEqual(['note.txt', 'remember the milk']);
  await page.getByRole('button', { name: 'Next file' }).click();
  await expect.element(page.getByRole('dialog', { name: 'wide.svg' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('button', { name: 'Image wide.svg' })).toHaveFocus();
});

test('the arrow keys lead on at once, and a damaged picture says so', async ({ studio }) => {
  const [question] = THREAD.messages;
  const damaged = {
    type: 'file' as const,
    filename: 'bad.png',
    mediaType: 'image/png',
    url: 'data:image/png;base64,AAAA',
  };
  const { message } = question ?? {};
  if (message?.role !== 'user') throw new Error('There is no question.');
  const parts = [...message.parts, damaged];
  await studio.open({ threads: [storedThread('files', [{ ...message, parts }])], thread: 'files' });
  await page.getByRole('button', { name: 'Image wide.svg' }).click();
  await expect.element(page.getByRole('dialog', { name: 'wide.svg' })).toBeVisible();
  await userEvent.keyboard('{ArrowLeft}');
  const window = page.getByRole('dialog', { name: 'bad.png' });
  await expect.element(window.getByText('This picture is damaged, or its format can’t be shown.')).toBeVisible();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(page.getByRole('dialog', { name: 'note.txt' })).toBeVisible();
});

test('a text file that was sent opens from the message', async ({ studio }) => {
  await studio.open({ threads: [THREAD], thread: 'files' });
  await page.getByRole('button', { name: 'note.txt' }).click();
  await expect.element(page.getByRole('dialog').getByText('remember the milk')).toBeVisible();
});
