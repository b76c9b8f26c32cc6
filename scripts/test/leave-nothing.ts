import { afterAll, vi } from 'vitest';

// Files share a process, one after the other. What one has replaced is not there for the next.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
