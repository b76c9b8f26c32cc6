import { expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { copyText } from './copy-text.ts';

/** A browser that doesn't let the page write to the clipboard. */
function denyClipboard(): void {
  const denied = vi
    .spyOn(navigator.clipboard, 'writeText')
    .mockRejectedValue(new DOMException('Denied', 'NotAllowedError'));
  onTestFinished(() => denied.mockRestore());
}

test('a text is copied as a selection where the clipboard is denied, and the focus stays', async () => {
  denyClipboard();
  const button = document.createElement('button');
  button.textContent = 'Copy';
  document.body.append(button);
  onTestFinished(() => button.remove());
  let copied = '';
  const onCopy = () => {
    copied = document.activeElement instanceof HTMLTextAreaElement ? document.activeElement.value : '';
  };
  document.addEventListener('copy', onCopy);
  onTestFinished(() => document.removeEventListener('copy', onCopy));
  // Browsers let a page copy only after a press.
  const { promise: outcome, resolve } = Promise.withResolvers<boolean>();
  button.onclick = () => resolve(copyText('one\ntwo'));
  await userEvent.click(button);
  expect(await outcome).toBe(true);
  expect(copied).toBe('one\ntwo');
  expect(document.activeElement).toBe(button);
  expect(document.querySelector('textarea')).toBeNull();
});

test('where nothing can be copied, that is known', async () => {
  denyClipboard();
  const command = vi.spyOn(document, 'execCommand').mockReturnValue(false);
  onTestFinished(() => command.mockRestore());
  expect(await copyText('one')).toBe(false);
});
