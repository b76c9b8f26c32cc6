/** The texts of the editor in English that come with its view and not with the page. */
export const editorTexts = {
  notFormatted: (reason: string) => `Saved without formatting. ${reason}`,
  formatterLate: 'The formatter took too long.',
  formatterFailed: (detail: string) => `The formatter failed: ${detail}`,
};

export type EditorTexts = typeof editorTexts;
