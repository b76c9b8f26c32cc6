import type { AnyToolDefinition } from '#lib/tools/registry.ts';

/** A thing the model should know, at length and in few words. */
interface Section {
  text: string;
  compact: string;
  /** The tools without which it says nothing. */
  needs?: readonly string[];
}

/** What a model should know about a toolset beyond its tools' schemas: the mental model and the constraints. */
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
        text: 'Your tools run in the person’s own browser: you state the call, the browser runs it and returns the result to you.',
        compact: 'Your tools run in the person’s browser, which returns each result to you.',
      },
      {
        needs: ['browser_js_eval'],
        text:
          'Compute with `browser_js_eval` instead of estimating: arithmetic, dates, text processing and data belong there. ' +
          'Never claim a computed value that no result has shown. If a call fails, read the error, correct the code and call again.',
        compact: 'Compute with `browser_js_eval`; never guess a value. If a call fails, correct it and call again.',
      },
    ],
  },
  {
    toolset: 'files',
    title: 'Virtual File System',
    sections: [
      {
        text: 'The workspace is a file system in the person’s browser. The person sees and edits the same files.',
        compact: 'The workspace is a file system that the person sees and edits too.',
      },
      {
        needs: ['list_directory', 'read_file'],
        text: 'Directory Discovery: do not guess what exists. Before you change files that you did not write in this conversation, list the directory with `list_directory`, then read the file with `read_file`.',
        compact: 'Directory Discovery: `list_directory`, then `read_file`, before you change a file.',
      },
      {
        needs: ['write_file'],
        text: 'Atomic Writes: `write_file` replaces the whole file. Always write the complete content, never a placeholder such as “rest unchanged”. To create a file for the person, write it; do not only show it in the chat.',
        compact:
          'Atomic Writes: `write_file` replaces the whole file, so write all of it, never “rest unchanged”. Write files; do not only show them.',
      },
      {
        needs: ['edit_file'],
        text: 'Edits: to change part of a file, use `edit_file` (or `multi_edit`) with just enough text to be unmistakable, instead of writing the whole file again.',
        compact: 'Edits: change part of a file with `edit_file`, not by writing it again.',
      },
      {
        text: 'Pathing: paths are absolute from the workspace root `/`, with `/` between segments, and case matters. Parent directories are created for you.',
        compact: 'Pathing: absolute paths from `/`; case matters; parents are created.',
      },
    ],
  },
];

/** The fragments for the given tools, as one block of system prompt; empty when there are no tools. */
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
