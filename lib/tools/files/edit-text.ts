import { applyEdit, type Edit } from './edits.ts';
import { isNotebook } from './notebook.ts';
import { editNotebook } from './notebook-edit.ts';

/** Applies an edit to the text of a file: to the cells of a notebook, and to the text of any other file. Throws `ToolFailure`. */
export const editText = (path: string, text: string, edit: Edit): { text: string; places: number } =>
  isNotebook(path) ? editNotebook(text, edit) : applyEdit(text, edit);
