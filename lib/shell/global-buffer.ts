import { Buffer } from 'buffer/index.js';

// The shell's commands are written for Node's Buffer. To be imported before the shell.
Reflect.set(globalThis, 'Buffer', Buffer);
