/** The texts of the panel of tools in English. They come with the views that show them and not with the page. */
export const toolTexts = {
  /** What the tools of a toolset do. */
  toolsets: {
    browser: 'Run JavaScript in a sandbox, and open pages in the preview',
    files: 'Read, write, and search the files of the workspace',
  } as Readonly<Record<string, string>>,
  reviewsHelp: 'You see each change first, and accept, edit, or reject its parts',
};

export type ToolTexts = typeof toolTexts;
