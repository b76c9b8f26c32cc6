/** Returns the text of a new tool's file: an example to be changed. `name`: the title of the tool in it. */
export const newWorkspaceTool = (
  name: string,
): string => `// A tool for the model. It is offered once you allow it, and asked about again when it changes.

// The description for the model. It has to be plain data; inputSchema is a JSON Schema.
export const spec = {
  title: '${name}',
  description: 'Counts the words of a text file. Returns the number.',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'The absolute path of the file, such as /notes.md.' },
    },
    required: ['path'],
  },
  // 'read' changes nothing and may run without a question. 'execute' asks.
  effect: 'read',
};

// Runs in the sandbox of the thread. signal fires shortly before the time limit.
export async function run({ path }, { vfs, signal }) {
  const text = await vfs.readFile(path);
  return { words: text.split(/\\s+/).filter(Boolean).length };
}
`;
