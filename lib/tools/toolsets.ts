import { applyPatch } from './apply-patch.ts';
import { browserJsEval } from './browser-js-eval.ts';
import { copyPath } from './copy-path.ts';
import { countLines } from './count-lines.ts';
import { deletePath } from './delete-path.ts';
import { editFile } from './edit-file.ts';
import { executeBash } from './execute-bash.ts';
import { getDiagnostics } from './get-diagnostics.ts';
import { listDirectory } from './list-directory.ts';
import { makeDirectory } from './make-directory.ts';
import { movePath } from './move-path.ts';
import { multiEdit } from './multi-edit.ts';
import { previewConsole } from './preview-console.ts';
import { previewOpen } from './preview-open.ts';
import { previewSnapshot } from './preview-snapshot.ts';
import { readFile } from './read-file.ts';
import { ToolRegistry } from './registry.ts';
import { searchFiles } from './search-files.ts';
import { searchText } from './search-text.ts';
import { writeFile } from './write-file.ts';

/** Every tool of the studio. */
export const toolRegistry = new ToolRegistry([
  browserJsEval,
  previewOpen,
  previewSnapshot,
  previewConsole,
  listDirectory,
  readFile,
  writeFile,
  editFile,
  multiEdit,
  applyPatch,
  makeDirectory,
  movePath,
  copyPath,
  deletePath,
  searchFiles,
  searchText,
  countLines,
  getDiagnostics,
  executeBash,
]);
