import { config } from 'zod/v4/core';

// The page's content security policy forbids eval, and the browser reports even an attempt, so zod must not try.
// Import this before anything that defines a schema.
config({ jitless: true });
