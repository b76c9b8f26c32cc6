import { COMPOSER_ID } from '#components/hooks/composer-id.ts';

/** The longest text that is put in as if it was typed: browsers take seconds for more. In characters. */
const TYPED_MAX = 200_000;

/** The message box; undefined if it is not in the document, or disabled. */
export function composerField(): HTMLTextAreaElement | undefined {
  const field = document.getElementById(COMPOSER_ID);
  return field instanceof HTMLTextAreaElement && !field.disabled ? field : undefined;
}

/**
 * Changes the text of the message box to `text`, as if only the difference was typed, so that it can be undone. Returns false,
 * with nothing changed, if there is no box or the difference is too long.
 */
export function typeInComposer(text: string): boolean {
  const field = composerField();
  if (field === undefined) return false;
  const { value } = field;
  let start = 0;
  while (start < value.length && value[start] === text[start]) start++;
  let rest = 0;
  const most = Math.min(value.length, text.length) - start;
  while (rest < most && value[value.length - 1 - rest] === text[text.length - 1 - rest]) rest++;
  const added = text.slice(start, text.length - rest);
  if (added.length > TYPED_MAX) return false;
  field.focus();
  field.setSelectionRange(start, value.length - rest);
  return added === '' ? document.execCommand('delete') : document.execCommand('insertText', false, added);
}

/** Inserts a text into the message at its cursor, as a paragraph of its own. */
export function addToComposer(
  composer: { getState(): { text: string }; setText(text: string): void },
  text: string,
): void {
  const { text: written } = composer.getState();
  const at = composerField()?.selectionEnd ?? written.length;
  const parts = [written.slice(0, at).trimEnd(), text, written.slice(at).trimStart()];
  const whole = parts.filter((part) => part !== '').join('\n\n');
  if (!typeInComposer(whole)) composer.setText(whole);
}
