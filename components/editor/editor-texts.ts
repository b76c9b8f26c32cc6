/**
 * Loads code that uses the editor, after the editor's own texts in the language of the page: it reads them once, when it is
 * loaded. Without them, they are English.
 */
export async function withEditorTexts<T>(load: () => Promise<T>): Promise<T> {
  if (document.documentElement.lang.startsWith('zh'))
    await import('monaco-editor/nls/lang/zh-cn.js').catch(() => undefined);
  return load();
}
