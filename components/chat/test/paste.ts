import type { Locator } from 'vitest/browser';
import { focus } from '#components/test/browser.ts';

/** Pastes into a field. `data`: the clipboard's texts by media type. */
export async function paste(field: Locator, data: Readonly<Record<string, string>>, ...files: File[]): Promise<void> {
  await focus(field);
  const clipboardData = new DataTransfer();
  for (const [type, text] of Object.entries(data)) clipboardData.setData(type, text);
  for (const file of files) clipboardData.items.add(file);
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
  if (document.activeElement?.dispatchEvent(event)) document.execCommand('insertText', false, data['text/plain'] ?? '');
}
