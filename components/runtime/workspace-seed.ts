import type { ThreadStore } from '#lib/threads/thread-store.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';

const KEY = 'workspace-seeded';

/** A small project, so that a newcomer has something to look into. */
const FILES: Readonly<Record<string, string>> = {
  '/README.md': `# Welcome

These files live in this browser. You and the model work on the same ones.
`,
  '/src/App.tsx': `import { Counter } from './Counter';

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

/** Fills the first workspace of a browser that opens the studio for the first time; never again after that. */
export async function seedWorkspace(store: ThreadStore, fileSystem: FileSystem): Promise<void> {
  if ((await store.setting(KEY)) === true) return;
  await addExampleFiles(fileSystem);
  await store.putSetting(KEY, true);
}

/** Puts the small project into a workspace that has nothing in it. */
export async function addExampleFiles(fileSystem: FileSystem): Promise<void> {
  const encoder = new TextEncoder();
  await fileSystem.transaction({ type: 'person' }, async (tx) => {
    if ((await tx.readdir('/')).length > 0) return;
    for (const [path, content] of Object.entries(FILES)) tx.writeFile(path, encoder.encode(content));
  });
}
