/**
 * The texts in English of commands, of the palette's headings for found text, and of the completions and the size of a
 * message. They are loaded with the views that show them.
 */
export const commandTexts = {
  systemPrompt: 'System prompt…',
  reviewOn: 'Review changes before they’re written',
  reviewOff: 'Stop reviewing changes',
  toggleTree: 'Show or hide the file tree',
  applyPersona: (name: string) => `Use persona “${name}”`,
  newTool: 'New tool…',
  newPrompt: 'New prompt…',
  print: 'Print thread…',
  toggleTheme: 'Switch between light and dark theme',
  commands: 'Commands',
  mentions: 'Files and folders',
  inFiles: 'Text in files',
  inMessages: 'Text in messages',
  /** Of the message that is being written. */
  estimate: {
    size: (tokens: string) => `About ${tokens} tokens.`,
    cost: (dollars: string) => `Sending it costs about ${dollars}.`,
    tooLong: (model: string, window: string) =>
      `${model} can read at most ${window} tokens. Save the text as a file in the workspace, so that the model can read it in parts, or choose another model.`,
  },
};

export type CommandTexts = typeof commandTexts;
