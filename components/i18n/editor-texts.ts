/**
 * The texts in English of the notice that a file was saved without being formatted. They are loaded with the editor, not
 * with the page.
 */
export const editorTexts = {
  notFormatted: (reason: string) => `Saved without formatting. ${reason}`,
  formatterLate: 'The formatter took too long.',
  formatterFailed: (detail: string) => `The formatter failed: ${detail}`,
};

export type EditorTexts = typeof editorTexts;
