/** Copies a text. A page that may not write to the clipboard copies it as a selection. Returns whether that worked. */
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
  // In the dialog that is open: focus can't leave it.
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
