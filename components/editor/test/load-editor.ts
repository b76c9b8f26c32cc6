import { beforeAll } from 'vitest';

/** Loads the editor before the tests of a file, so that the first one that opens it does not wait for its code. */
export function loadEditor(): void {
  beforeAll(async () => {
    await import('../editor-view.tsx');
  }, 60_000);
}
