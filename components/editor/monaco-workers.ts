/**
 * Creates the worker for a label of Monaco: that of a language's service, or the editor's own worker for any other label.
 * Each worker is a separate entry point of our own build.
 */
export function createWorker(label: string): Worker {
  switch (label) {
    case 'typescript':
    case 'javascript':
      return new Worker(new URL('monaco-editor/languages/features/typescript/ts.worker.js', import.meta.url), {
        type: 'module',
        name: label,
      });
    case 'json':
      return new Worker(new URL('monaco-editor/languages/features/json/json.worker.js', import.meta.url), {
        type: 'module',
        name: label,
      });
    case 'css':
    case 'scss':
    case 'less':
      return new Worker(new URL('monaco-editor/languages/features/css/css.worker.js', import.meta.url), {
        type: 'module',
        name: label,
      });
    case 'html':
      return new Worker(new URL('monaco-editor/languages/features/html/html.worker.js', import.meta.url), {
        type: 'module',
        name: label,
      });
    default:
      return new Worker(new URL('monaco-editor/editor/editor.worker.js', import.meta.url), {
        type: 'module',
        name: label,
      });
  }
}
