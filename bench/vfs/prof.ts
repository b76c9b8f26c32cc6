import { WorkspaceHistory } from '#lib/vfs/history.ts';
import { IndexedDbStorage } from '#lib/vfs/indexeddb/indexeddb-storage.ts';
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';
import { makeFiles, somePaths } from './data.ts';
import { StudioSubject } from './studio-subject.ts';

class Direct {
  storage!: IndexedDbStorage;
  fs!: TreeFileSystem;
  history!: WorkspaceHistory;
  async open(name: string) {
    this.storage = await IndexedDbStorage.open(name);
    this.fs = new TreeFileSystem(this.storage);
    this.history = new WorkspaceHistory(this.storage, this.fs);
  }
}
Object.assign(window, { StudioSubject, makeFiles, somePaths, Direct });
