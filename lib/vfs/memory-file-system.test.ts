import { WorkspaceHistory } from './history.ts';
import { MemoryFileSystem } from './memory-file-system.ts';
import { MemoryStorage } from './memory-storage.ts';
import { describeFileSystem } from './test/contract.ts';
import { describeHistory } from './test/history-contract.ts';
import { TreeFileSystem } from './tree-file-system.ts';

describeFileSystem('MemoryFileSystem', async () => new MemoryFileSystem());

describeHistory('MemoryStorage', async () => {
  const storage = new MemoryStorage();
  const fileSystem = new TreeFileSystem(storage);
  return Object.assign(fileSystem, { history: new WorkspaceHistory(storage, fileSystem) });
});
