import type { monaco } from './monaco.ts';

/**
 * Shows the differences between two texts in a diff editor. Returns a function that closes them and disposes of both
 * models. Monaco never disposes of the view model that its `setModel` creates: differences that it still computes for
 * models that are gone would end in an uncaught error.
 */
export function showDiff(
  editor: monaco.editor.IStandaloneDiffEditor,
  models: monaco.editor.IDiffEditorModel,
): () => void {
  const view = editor.createViewModel(models);
  editor.setModel(view);
  return () => {
    editor.setModel(null);
    view.dispose();
    models.original.dispose();
    models.modified.dispose();
  };
}
