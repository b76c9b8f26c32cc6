import { applyEdit, type Edit } from './edits.ts';
import { isNotebook } from './notebook.ts';
import { editNotebook } from './notebook-edit.ts';

/**
 * Applies an edit to the text of a file; in a notebook, to the cell that has the text or, if none has it, to the file's JSON
 * (see `editNotebook`). Returns the new text and the number of replacements. Throws `ToolFailure`.
 */
export const editText = (path: string, text: string, edit: Edit): { text: string; places: number } =>
  isNotebook(path) ? editNotebook(text, edit) : applyEdit(text, edit);
