/**
 * Loads the editor's own texts in the page's language, then code that uses the editor, which reads them once, when it is
 * loaded. If they cannot be loaded, the texts are English.
 */
export async function withEditorTexts<T>(load: () => Promise<T>): Promise<T> {
  if (document.documentElement.lang.startsWith('zh'))
    await import('monaco-editor/nls/lang/zh-cn.js').catch(() => undefined);
  return load();
}
