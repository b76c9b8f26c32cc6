import { FileSystemError } from './errors.ts';
import { TreeFileSystem, type TreeTransaction } from './file-tree.ts';

/** A workspace that lives as long as the page or process: for tests, the command line, and browsers without storage. */
export class MemoryFileSystem extends TreeFileSystem {
  #contents = new Map<string, Uint8Array>();

  protected async refresh(): Promise<boolean> {
    return false;
  }

  protected async commit(tx: TreeTransaction): Promise<boolean> {
    for (const [id, data] of tx.newContents) this.#contents.set(id, data);
    return true;
  }

  protected async readContent(contentId: string, path: string): Promise<Uint8Array> {
    const data = this.#contents.get(contentId);
    if (data === undefined) throw new FileSystemError('EIO', path);
    return data;
  }
}
