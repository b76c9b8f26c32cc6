import { MemoryFileSystem } from './memory-file-system.ts';
import { describeFileSystem } from './test/contract.ts';
import { describeHistory } from './test/history-contract.ts';

describeFileSystem('MemoryFileSystem', async () => new MemoryFileSystem());
describeHistory('MemoryFileSystem', async () => new MemoryFileSystem());
