import type { AnyToolDefinition } from '#lib/tools/core/registry.ts';

/** Something the model should know, in a full and a compact version. */
interface Section {
  text: string;
  compact: string;
  /** The tools that the section is about; without them, it is left out. */
  needs?: readonly string[];
}

/** What a model should know about a toolset beyond the schemas of its tools: the mental model and the constraints. */
interface Fragment {
  toolset: string;
  title: string;
  sections: readonly Section[];
}

const FRAGMENTS: readonly Fragment[] = [
  {
    toolset: 'browser',
    title: 'Browser Execution',
    sections: [
      {
        text: 'Your tools run in the user’s own browser: you write the call, and the browser runs it and returns the result to you.',
        compact: 'Your tools run in the user’s browser, which returns each result to you.',
      },
      {
        needs: ['browser_js_eval'],
        text:
          'Compute with `browser_js_eval` instead of estimating: use it for arithmetic, dates, text processing and data. ' +
          'Never state a computed value that no tool result has shown. If a call fails, read the error, fix the code and call again.',
        compact: 'Compute with `browser_js_eval`; never guess a value. If a call fails, fix it and call again.',
      },
    ],
  },
  {
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
    ],
  },
];

/** The fragments for the given tools, as one block of the system prompt; empty if there are no tools. */
export function formatFragments(tools: readonly AnyToolDefinition[], compact = false): string {
  return FRAGMENTS.flatMap(({ toolset, title, sections }) => {
    const names = new Set(tools.filter((tool) => tool.toolset === toolset).map(({ name }) => name));
    if (names.size === 0) return [];
    const paragraphs = sections
      .filter(({ needs = [] }) => needs.every((name) => names.has(name)))
      .map((section) => (compact ? section.compact : section.text));
    return [`## ${title}\n\n${paragraphs.join(compact ? '\n' : '\n\n')}`];
  }).join('\n\n');
}
