import { WorkspaceHistory } from './history.ts';
import { MemoryStorage } from './memory-storage.ts';
import { TreeFileSystem } from './tree-file-system.ts';

/** A workspace in memory, for tests, the command line, and browsers without storage. */
export class MemoryFileSystem extends TreeFileSystem {
  readonly history: WorkspaceHistory;

  constructor() {
    const storage = new MemoryStorage();
    super(storage);
    this.history = new WorkspaceHistory(storage, this);
  }
}
