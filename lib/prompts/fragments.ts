import type { AnyToolDefinition } from '#lib/tools/registry.ts';

/**
 * What a model should know about a toolset beyond its tools' schemas: the mental model and the constraints.
 * The tools themselves are named here only where they are switched on.
 */
interface Fragment {
  toolset: string;
  title: string;
  sections(tools: ReadonlySet<string>): readonly (string | undefined)[];
}

const when = (condition: boolean, text: string): string | undefined => (condition ? text : undefined);

const FRAGMENTS: readonly Fragment[] = [
  {
    toolset: 'browser',
    title: 'Browser Execution',
    sections: (tools) => [
      'Your tools run in the person’s own browser: you state the call, the browser runs it and returns the result to you.',
      when(
        tools.has('browser_js_eval'),
        'Compute with `browser_js_eval` instead of estimating: arithmetic, dates, text processing and data belong there. ' +
          'Never claim a computed value that no result has shown. If a call fails, read the error, correct the code and call again.',
      ),
    ],
  },
  {
    toolset: 'files',
    title: 'Virtual File System',
    sections: (tools) => [
      'The workspace is a file system in the person’s browser. The person sees and edits the same files.',
      when(
        tools.has('list_directory') && tools.has('read_file'),
        'Directory Discovery: do not guess what exists. Before you change files that you did not write in this conversation, list the directory with `list_directory`, then read the file with `read_file`.',
      ),
      when(
        tools.has('write_file'),
        'Atomic Writes: `write_file` replaces the whole file. Always write the complete content, never a placeholder such as “rest unchanged”. To create a file for the person, write it; do not only show it in the chat.',
      ),
      'Pathing: paths are absolute from the workspace root `/`, with `/` between segments, and case matters. Parent directories are created for you.',
    ],
  },
];

/** The fragments for the given tools, as one block of system prompt; empty when there are no tools. */
export function formatFragments(tools: readonly AnyToolDefinition[]): string {
  return FRAGMENTS.flatMap(({ toolset, title, sections }) => {
    const names = new Set(tools.filter((tool) => tool.toolset === toolset).map(({ name }) => name));
    if (names.size === 0) return [];
    const paragraphs = sections(names).filter((section) => section !== undefined);
    return [`## ${title}\n\n${paragraphs.join('\n\n')}`];
  }).join('\n\n');
}
