import { pause } from '#lib/base/pause.ts';
import { openWorkspace, type Workspace } from '#lib/workspace/workspace.ts';
import type { Files } from './data.ts';
import type { Subject } from './subject.ts';

const AUTHOR = { type: 'person' } as const;

/** The studio's own file system. */
export class StudioSubject implements Subject {
  readonly name = 'studio';
  #workspace: Workspace | undefined;
  #point = 0;

  get workspace(): Workspace {
    if (this.#workspace === undefined) throw new Error('not open');
    return this.#workspace;
  }

  async open(name: string): Promise<void> {
    this.#workspace = await openWorkspace(name);
  }
  async close(): Promise<void> {
    this.workspace.close();
  }
  async create(files: Files): Promise<void> {
    await this.workspace.fileSystem.transaction(AUTHOR, async (tx) => {
      for (const [index, [path, data]] of files.entries()) {
        // As in an import of files.
        if (index % 500 === 0) await pause();
        tx.writeFile(path, data);
      }
    });
  }
  async list(folder: string) {
    const entries = await this.workspace.fileSystem.readdir(folder);
    return entries.map(({ name, type, size }) => ({ name, isDirectory: type === 'directory', size }));
  }
  async readMany(paths: readonly string[]): Promise<number> {
    const contents = await Promise.all(paths.map((path) => this.workspace.fileSystem.readFile(path)));
    return contents.reduce((sum, data) => sum + data.byteLength, 0);
  }
  overwrite(path: string, data: Uint8Array): Promise<void> {
    return this.workspace.fileSystem.transaction(AUTHOR, async (tx) => tx.writeFile(path, data));
  }
  rename(from: string, to: string): Promise<void> {
    return this.workspace.fileSystem.transaction(AUTHOR, async (tx) => tx.rename(from, to));
  }
  remove(folder: string): Promise<void> {
    return this.workspace.fileSystem.transaction(AUTHOR, async (tx) => tx.rm(folder, { recursive: true }));
  }
  async checkpoint(): Promise<void> {
    this.#point = this.workspace.history.sequence;
  }
  async restore(): Promise<void> {
    await this.workspace.history.restore(AUTHOR, this.#point);
  }
  async search(pattern: string): Promise<number> {
    const { runner } = this.workspace;
    const { signal } = new AbortController();
    const query = { pattern, path: '/ws', isLiteral: false, ignoreCase: false, contextLines: 0, limit: 100_000 };
    const { matches } = await runner.text(query, { abortSignal: signal });
    return new Set(matches.map(({ path }) => path)).size;
  }
}
