import { browserJsEval } from './browser-js-eval.ts';
import { listDirectory } from './list-directory.ts';
import { readFile } from './read-file.ts';
import { ToolRegistry } from './registry.ts';
import { writeFile } from './write-file.ts';

/** The toolsets a person can switch on and off per thread. */
export const TOOLSETS = ['browser', 'files'] as const;

/** Every tool of the studio. */
export const toolRegistry = new ToolRegistry([browserJsEval, listDirectory, readFile, writeFile]);
