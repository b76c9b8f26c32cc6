import { MemoryFileSystem } from './memory-file-system.ts';
import { describeFileSystem } from './test/contract.ts';

describeFileSystem('MemoryFileSystem', async () => new MemoryFileSystem());
