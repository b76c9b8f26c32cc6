/**
 * Loads Monaco's own texts in Chinese if that is the page's language, then calls `load`, which loads code that uses Monaco:
 * its texts are read once, when its code is loaded. In other languages, or if the texts cannot be loaded, they are English.
 */
export async function withEditorTexts<T>(load: () => Promise<T>): Promise<T> {
  if (document.documentElement.lang.startsWith('zh'))
    await import('monaco-editor/nls/lang/zh-cn.js').catch(() => undefined);
  return load();
}
