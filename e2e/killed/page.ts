import { openWorkspace } from '#lib/workspace/workspace.ts';

const NAME = 'killed';

declare global {
  interface Window {
    /** Called for each write once it is acknowledged. */
    acknowledge(path: string, text: string): Promise<void>;
    writeForEver(round: number): Promise<void>;
    readAll(): Promise<[path: string, text: string][]>;
  }
}

/** Writes endlessly and in parallel: small files, large ones, overwritten ones, and many in one commit. */
window.writeForEver = async (round) => {
  const { fileSystem } = await openWorkspace(NAME);
  const encoder = new TextEncoder();
  const write = async (files: readonly [path: string, text: string][]) => {
    await fileSystem.transaction({ type: 'person' }, async (tx) => {
      for (const [path, text] of files) tx.writeFile(path, encoder.encode(text));
    });
    for (const [path, text] of files) void window.acknowledge(path, text);
  };
  const writer = async (name: string, filesOf: (count: number) => [string, string][]) => {
    for (let count = 0; ; count++)
      await write(filesOf(count).map(([path, text]) => [`/${round}/${name}/${path}`, text]));
  };
  void writer('small', (count) => [[`${count}`, `small ${count}`]]);
  void writer('large', (count) => [[`${count % 5}`, `${count}`.padEnd(100_000, '.')]]);
  void writer('same', (count) => [['file', `${count}`]]);
  void writer('many', (count) =>
    Array.from({ length: 20 }, (_, index) => [`${count}/${index}`, `${index}`.repeat(500)]),
  );
};

window.readAll = async () => {
  const { fileSystem } = await openWorkspace(NAME);
  const decoder = new TextDecoder();
  const files: [string, string][] = [];
  const walk = async (folder: string): Promise<void> => {
    for (const { name, type } of await fileSystem.readdir(folder === '' ? '/' : folder)) {
      const path = `${folder}/${name}`;
      if (type === 'directory') await walk(path);
      else files.push([path, decoder.decode(await fileSystem.readFile(path))]);
    }
  };
  await walk('');
  return files;
};
