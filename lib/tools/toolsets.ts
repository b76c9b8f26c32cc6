import { browserJsEval } from './browser/browser-js-eval.ts';
import { previewConsole } from './browser/preview-console.ts';
import { previewOpen } from './browser/preview-open.ts';
import { previewSnapshot } from './browser/preview-snapshot.ts';
import { browserFragment } from './browser/toolset.ts';
import type { Fragment } from './catalogue/catalogue.ts';
import { ToolRegistry } from './catalogue/registry.ts';
import { applyPatch } from './files/apply-patch.ts';
import { copyPath } from './files/copy-path.ts';
import { countLines } from './files/count-lines.ts';
import { deletePath } from './files/delete-path.ts';
import { editFile } from './files/edit-file.ts';
import { executeBash } from './files/execute-bash.ts';
import { getDiagnostics } from './files/get-diagnostics.ts';
import { listDirectory } from './files/list-directory.ts';
import { makeDirectory } from './files/make-directory.ts';
import { movePath } from './files/move-path.ts';
import { multiEdit } from './files/multi-edit.ts';
import { readFile } from './files/read-file.ts';
import { searchFiles } from './files/search-files.ts';
import { searchText } from './files/search-text.ts';
import { filesFragment } from './files/toolset.ts';
import { writeFile } from './files/write-file.ts';
import { fetchUrl } from './web/fetch-url.ts';
import { webFragment } from './web/toolset.ts';

/**
 * The registry of the studio's own tools, in the variants that work in a browser. The page adds external tools to it, and
 * removes them; the command line makes a registry of its own from it.
 */
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
  fetchUrl,
]);

/** The sections of the system prompt about the studio's toolsets, in their order. */
export const fragments: readonly Fragment[] = [browserFragment, filesFragment, webFragment];
