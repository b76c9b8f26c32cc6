/** Copies a text to the clipboard; if the page may not write to it, by selecting the text. Returns whether that worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const { activeElement } = document;
  const field = document.createElement('textarea');
  field.value = text;
  // Inside the dialog that is open, if any, because the focus can't leave it.
  (activeElement?.closest('[role="dialog"]') ?? document.body).append(field);
  field.style.position = 'fixed';
  field.select();
  try {
    return document.execCommand('copy');
  } finally {
    field.remove();
    if (activeElement instanceof HTMLElement) activeElement.focus();
  }
}
