import { describe } from 'vitest';
import { MemoryThreadStore } from './memory-thread-store.ts';
import { describeThreadStore } from './test/store-contract.ts';

describe('the store in memory', () => {
  describeThreadStore(async () => new MemoryThreadStore());
});
