import { config } from 'zod/v4/core';

// The page's policy allows no eval, and the browser reports even the attempt, so zod is told not to try. Imported
// before anything that has a schema.
config({ jitless: true });
