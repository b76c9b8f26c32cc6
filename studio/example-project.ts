import type { FileSystem } from '#lib/vfs/file-system.ts';
import { EXAMPLE_FILE } from './example-file.ts';

/** A small project for those who want to try something on files. */
const FILES: Readonly<Record<string, string>> = {
  '/README.md': `# Welcome

These files live in this browser. You and the model work on the same ones.
`,
  [EXAMPLE_FILE]: `import { Counter } from './Counter';

export function App() {
  return (
    <main>
      <h1>My first app</h1>
      <Counter start={1} />
    </main>
  );
}
`,
  '/src/Counter.tsx': `import { useState } from 'react';

export function Counter({ start }: { start: number }) {
  const [count, setCount] = useState(start);
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      Clicked {count} times
    </button>
  );
}
`,
};

/** Adds the sample project unless it is there. Existing files stay as they are; only an empty workspace gets its README. */
export async function addExampleFiles(fileSystem: FileSystem): Promise<void> {
  const encoder = new TextEncoder();
  await fileSystem.transaction({ type: 'person' }, async (tx) => {
    const names = new Set((await tx.readdir('/')).map(({ name }) => name));
    const sources = names.has('src') ? await tx.readdir('/src') : [];
    const existing = new Set([...[...names].map((name) => `/${name}`), ...sources.map(({ name }) => `/src/${name}`)]);
    if (existing.has(EXAMPLE_FILE)) return;
    for (const [path, content] of Object.entries(FILES)) {
      const isWanted = names.size === 0 || path.startsWith('/src/');
      if (isWanted && !existing.has(path)) tx.writeFile(path, encoder.encode(content));
    }
  });
}
