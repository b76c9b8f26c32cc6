import { type Files, foldersOf } from './data.ts';
import type { Subject } from './subject.ts';

/** The part of `fs.promises` that is measured. */
export interface PromisesApi {
  mkdir(path: string): Promise<unknown>;
  writeFile(path: string, data: Uint8Array): Promise<unknown>;
  readFile(path: string): Promise<Uint8Array>;
  readdir(path: string): Promise<string[]>;
  stat(path: string): Promise<{ isDirectory(): boolean; size: number }>;
  rename(from: string, to: string): Promise<unknown>;
  unlink(path: string): Promise<unknown>;
  rmdir(path: string): Promise<unknown>;
}

/** The number of calls that run concurrently. */
const POOL = 64;

async function pool<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  let next = 0;
  const run = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: POOL }, run));
}

/** A file system with the API of `fs.promises`. It has no checkpoints, so a checkpoint is a copy of all files. */
export abstract class PromisesSubject implements Subject {
  abstract readonly name: string;
  protected abstract readonly api: PromisesApi;
  abstract open(name: string): Promise<void>;
  abstract close(): Promise<void>;
  /** Resolves when all changes are stored. */
  protected async flush(): Promise<void> {}

  async create(files: Files): Promise<void> {
    for (const folder of foldersOf(files)) await this.api.mkdir(folder);
    await pool(files, ([path, data]) => this.api.writeFile(path, data));
    await this.flush();
  }
  async list(folder: string) {
    const names = await this.api.readdir(folder);
    return Promise.all(
      names.map(async (name) => {
        const stat = await this.api.stat(`${folder}/${name}`);
        return { name, isDirectory: stat.isDirectory(), size: stat.size };
      }),
    );
  }
  async readMany(paths: readonly string[]): Promise<number> {
    let bytes = 0;
    await pool(paths, async (path) => {
      bytes += (await this.api.readFile(path)).byteLength;
    });
    return bytes;
  }
  async overwrite(path: string, data: Uint8Array): Promise<void> {
    await this.api.writeFile(path, data);
  }
  async rename(from: string, to: string): Promise<void> {
    await this.api.rename(from, to);
    await this.flush();
  }
  async remove(folder: string): Promise<void> {
    const { files, folders } = await this.#walk(folder);
    await pool(files, (path) => this.api.unlink(path));
    for (const path of folders.reverse()) await this.api.rmdir(path);
    await this.flush();
  }
  async checkpoint(): Promise<void> {
    await this.#copy('/ws', '/checkpoint');
    await this.flush();
  }
  async restore(): Promise<void> {
    await this.remove('/ws');
    await this.#copy('/checkpoint', '/ws');
    await this.flush();
  }
  async search(pattern: string): Promise<number> {
    const expression = new RegExp(pattern, 'm');
    const decoder = new TextDecoder();
    const { files } = await this.#walk('/ws');
    let found = 0;
    await pool(files, async (path) => {
      if (expression.test(decoder.decode(await this.api.readFile(path)))) found++;
    });
    return found;
  }

  async #copy(from: string, to: string): Promise<void> {
    const { files, folders } = await this.#walk(from);
    for (const path of folders) await this.api.mkdir(to + path.slice(from.length));
    await pool(files, async (path) => this.api.writeFile(to + path.slice(from.length), await this.api.readFile(path)));
  }

  /** Parents first. */
  async #walk(folder: string): Promise<{ files: string[]; folders: string[] }> {
    const files: string[] = [];
    const folders = [folder];
    for (const { name, isDirectory } of await this.list(folder)) {
      const path = `${folder}/${name}`;
      if (!isDirectory) {
        files.push(path);
        continue;
      }
      const below = await this.#walk(path);
      files.push(...below.files);
      folders.push(...below.folders);
    }
    return { files, folders };
  }
}
