import { type Remote, wrap } from 'comlink';
import { configureSingle, IndexedDB, LightningFs, umount, zenFs } from '../peers/file-systems.ts';
import type { Files } from './data.ts';
import { type PromisesApi, PromisesSubject } from './promises-subject.ts';
import type { SqliteFiles } from './sqlite-worker.ts';
import type { Listed, Subject } from './subject.ts';

export class LightningSubject extends PromisesSubject {
  readonly name = 'lightning-fs';
  #fs: LightningFs | undefined;
  protected get api(): PromisesApi {
    return (this.#fs as LightningFs).promises as unknown as PromisesApi;
  }
  async open(name: string): Promise<void> {
    this.#fs = new LightningFs(`lightning-${name}`);
    await this.#fs.promises.readdir('/');
  }
  async close(): Promise<void> {
    await this.flush();
    this.#fs = undefined;
  }
  protected override async flush(): Promise<void> {
    // Missing from the types: it writes the directory that was changed in memory.
    const promises: unknown = this.#fs?.promises;
    const flush: unknown = Reflect.get(Object(promises), 'flush');
    if (typeof flush === 'function') await flush.call(promises);
  }
}

export class ZenSubject extends PromisesSubject {
  readonly name = 'zenfs';
  protected readonly api = zenFs.promises as unknown as PromisesApi;
  async open(name: string): Promise<void> {
    await configureSingle({ backend: IndexedDB, storeName: `zen-${name}` });
  }
  async close(): Promise<void> {
    umount('/');
  }
}

/** SQLite on the origin private file system, with the handle pool that needs no shared memory. */
export class SqliteSubject implements Subject {
  readonly name = 'sqlite-opfs';
  #worker: Worker | undefined;
  #files: Remote<SqliteFiles> | undefined;
  get #api(): Remote<SqliteFiles> {
    return this.#files as Remote<SqliteFiles>;
  }
  async open(name: string): Promise<void> {
    this.#worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url), { type: 'module' });
    this.#files = wrap<SqliteFiles>(this.#worker);
    await this.#files.open(name);
  }
  async close(): Promise<void> {
    await this.#api.close();
    this.#worker?.terminate();
  }
  create(files: Files): Promise<void> {
    return this.#api.create(files);
  }
  list(folder: string): Promise<readonly Listed[]> {
    return this.#api.list(folder);
  }
  readMany(paths: readonly string[]): Promise<number> {
    return this.#api.readMany(paths).then((contents) => contents.reduce((sum, data) => sum + data.byteLength, 0));
  }
  overwrite(path: string, data: Uint8Array): Promise<void> {
    return this.#api.overwrite(path, data);
  }
  rename(from: string, to: string): Promise<void> {
    return this.#api.rename(from, to);
  }
  remove(folder: string): Promise<void> {
    return this.#api.remove(folder);
  }
  checkpoint(): Promise<void> {
    return this.#api.checkpoint();
  }
  restore(): Promise<void> {
    return this.#api.restore();
  }
  search(pattern: string): Promise<number> {
    return this.#api.search(pattern);
  }
}
