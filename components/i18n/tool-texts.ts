/**
 * The texts in English about toolsets, the reasons why calls failed, and reviews. They are loaded with the views that show
 * them, not with the page.
 */
export const toolTexts = {
  /** Descriptions of the tools of each toolset. */
  toolsets: {
    browser: 'Run JavaScript in a sandbox, and open pages in the preview',
    files: 'Read, write, and search the files of the workspace',
    web: 'Read web pages. You’re asked about each host',
  } as Readonly<Record<string, string>>,
  ofServer: 'Tools from a server that you added',
  ofApi: 'Requests to an HTTP API that you added',
  /** The reasons why a call failed, by the file system's error code. */
  reasons: {
    EACCES: 'Not allowed',
    ECANCELED: 'Another tab took over',
    EEXIST: 'Already exists',
    EFBIG: 'Too large',
    EINVAL: 'Not a valid path',
    EISDIR: 'It’s a folder',
    ELOOP: 'Too many links',
    ENAMETOOLONG: 'The name is too long',
    ENOENT: 'No such file or folder',
    ENOSPC: 'This browser’s storage is full',
    ENOTDIR: 'It’s not a folder',
    ENOTEMPTY: 'The folder isn’t empty',
    ESTALE: 'Changed since the model read it',
  } as Readonly<Record<string, string>>,
  reviews: 'Review changes before they’re written',
  reviewsHelp: 'See each change first, and keep, edit, or reject parts of it',
};

export type ToolTexts = typeof toolTexts;
