import { browserJsEval } from './browser-js-eval.ts';
import { copyPath } from './copy-path.ts';
import { editFile } from './edit-file.ts';
import { listDirectory } from './list-directory.ts';
import { makeDirectory } from './make-directory.ts';
import { movePath } from './move-path.ts';
import { multiEdit } from './multi-edit.ts';
import { readFile } from './read-file.ts';
import { ToolRegistry } from './registry.ts';
import { writeFile } from './write-file.ts';

/** The toolsets a person can switch on and off per thread. */
export const TOOLSETS = ['browser', 'files'] as const;

/** Every tool of the studio. */
export const toolRegistry = new ToolRegistry([
  browserJsEval,
  listDirectory,
  readFile,
  writeFile,
  editFile,
  multiEdit,
  makeDirectory,
  movePath,
  copyPath,
]);
