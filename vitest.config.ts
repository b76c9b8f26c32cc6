import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{bench,components,e2e,hosts,lib,scripts,server,studio}/**/*.test.ts'],
    exclude: ['**/*.browser.test.ts', '**/*.process.test.ts'],
  },
});
