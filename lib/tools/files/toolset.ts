import type { Fragment } from '../catalogue/catalogue.ts';

/** The section of the system prompt that tells the model about the workspace and the tools for its files. */
export const filesFragment: Fragment = {
  toolset: 'files',
  title: 'Virtual File System',
  sections: [
    {
      text: 'The workspace is a file system in the user’s browser. The user sees and edits the same files.',
      compact: 'The workspace is a file system that the user sees and edits too.',
    },
    {
      needs: ['list_directory', 'read_file'],
      text: 'Directory Discovery: do not guess what exists. Before you change files that you did not write in this conversation, list the directory with `list_directory`, then read the file with `read_file`.',
      compact: 'Directory Discovery: `list_directory`, then `read_file`, before you change a file.',
    },
    {
      needs: ['write_file'],
      text: 'Atomic Writes: `write_file` replaces the whole file. Always write the complete content, never a placeholder such as “rest unchanged”. To create a file for the user, write it; do not just show it in the chat.',
      compact:
        'Atomic Writes: `write_file` replaces the whole file, so write all of it, never “rest unchanged”. Write files; do not just show them.',
    },
    {
      needs: ['edit_file'],
      text: 'Edits: to change part of a file, use `edit_file` (or `multi_edit`) with just enough text to be unambiguous, instead of rewriting the whole file.',
      compact: 'Edits: change part of a file with `edit_file`, not by rewriting it.',
    },
    {
      text: 'Pathing: paths are absolute from the workspace root `/`, with `/` between segments, and case matters. Parent directories are created for you.',
      compact: 'Pathing: absolute paths from `/`; case matters; parents are created.',
    },
    {
      needs: ['write_file'],
      text: 'New Tools: you can give yourself a tool. Write `/.roundtrip/tools/<name>.js` with `export const spec = { description, inputSchema }`, which is plain data with a JSON Schema, and `export async function run(input, { vfs })`, where `vfs` has `readFile`, `writeFile`, and `list`. Then ask the user to allow it, which makes it yours to call.',
      compact: '',
    },
  ],
};

/** The same section of the system prompt as `filesFragment`, for a workspace that is a folder on the user's machine. */
export const folderFragment: Fragment = {
  ...filesFragment,
  title: 'Folder',
  sections: [
    {
      text: 'The workspace is a folder on the user’s machine; “/” is that folder, and nothing outside of it can be reached. The user and other programs change the same files.',
      compact: 'The workspace is a folder on the user’s machine; “/” is that folder.',
    },
    ...filesFragment.sections.slice(1),
  ],
};
