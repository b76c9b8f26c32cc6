import { Buffer } from 'buffer/index.js';

// The shell's commands are written for Node's Buffer: to be imported before them.
if (!('Buffer' in globalThis)) Reflect.set(globalThis, 'Buffer', Buffer);
