import { Buffer } from 'buffer/index.js';

// The shell's commands use Node's Buffer, so import this module before them.
if (!('Buffer' in globalThis)) Reflect.set(globalThis, 'Buffer', Buffer);
