/** The texts of commands, and of what completes a message, in English. They come with the views that show them. */
export const commandTexts = {
  systemPrompt: 'System prompt…',
  reviewOn: 'Review changes before they’re written',
  reviewOff: 'Stop reviewing changes',
  toggleTree: 'Show or hide the file tree',
  applyPersona: (name: string) => `Use persona “${name}”`,
  newTool: 'New tool…',
  newPrompt: 'New prompt…',
  toggleTheme: 'Switch between light and dark',
  commands: 'Commands',
  mentions: 'Files and folders',
  inFiles: 'Text in files',
  inMessages: 'Text in messages',
};

export type CommandTexts = typeof commandTexts;
