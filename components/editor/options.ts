import { useEffect } from 'react';
import { useSettings } from '#components/hooks/studio-provider.tsx';
import { useIsDark } from '#components/hooks/theme.ts';
import type { EditorSettings } from '#studio/settings.ts';
import { monaco, THEMES } from './monaco.ts';

/** The class of an editor's container. It brings the theme's colors to the menus that Monaco attaches there. */
export const EDITOR_CONTAINER = 'monaco-component';

const EDITOR_OPTIONS = {
  automaticLayout: true,
  fixedOverflowWidgets: true,
  fontFamily: 'var(--font-mono)',
  minimap: { enabled: false },
  scrollBeyondLastLine: false,
  tabFocusMode: false,
} satisfies monaco.editor.IEditorOptions;

/** What the user's settings change. The width of tabs is that of all files without an indentation of their own. */
const chosenOptions = ({ fontSize, wraps, tabWidth }: EditorSettings) =>
  ({ fontSize, wordWrap: wraps ? 'on' : 'off', tabSize: tabWidth }) satisfies monaco.editor.IEditorOptions &
    monaco.editor.IGlobalEditorOptions;

/** The options of every editor in the studio. */
export const editorOptions = (settings: EditorSettings) => ({ ...EDITOR_OPTIONS, ...chosenOptions(settings) });

/** Gives an editor the user's settings whenever they change. */
export function useEditorSettings(editor: monaco.editor.IStandaloneCodeEditor | undefined): void {
  const settings = useSettings((state) => state.editor);
  useEffect(() => editor?.updateOptions(chosenOptions(settings)), [editor, settings]);
}

/**
 * The same for both sides of a diff editor, with their accessible names. Monaco forgets these whenever the diff editor gets
 * other options, or changes between one column and two.
 */
export function useDiffSettings(
  editor: monaco.editor.IStandaloneDiffEditor | undefined,
  names: { original?: string; modified: string },
): void {
  const settings = useSettings((state) => state.editor);
  const { original = names.modified, modified } = names;
  useEffect(() => editor?.updateOptions(chosenOptions(settings)), [editor, settings]);
  useEffect(() => {
    if (editor === undefined) return;
    const keepName = (side: monaco.editor.ICodeEditor, ariaLabel: string): monaco.IDisposable => {
      const setName = () => {
        if (side.getOption(monaco.editor.EditorOption.ariaLabel) !== ariaLabel) side.updateOptions({ ariaLabel });
      };
      setName();
      return side.onDidChangeConfiguration(setName);
    };
    const kept = [keepName(editor.getOriginalEditor(), original), keepName(editor.getModifiedEditor(), modified)];
    return () => {
      for (const name of kept) name.dispose();
    };
  }, [editor, original, modified]);
}

/** Sets the studio's theme for all editors. */
export function useEditorTheme(): void {
  const isDark = useIsDark(useSettings(({ theme }) => theme));
  useEffect(() => monaco.editor.setTheme(THEMES[isDark ? 'dark' : 'light']), [isDark]);
}

/** The language of a file by its name, for models without a workspace URI. */
export function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const language = monaco.languages
    .getLanguages()
    .find(
      ({ extensions = [], filenames = [] }) =>
        filenames.some((filename) => filename.toLowerCase() === name) ||
        extensions.some((extension) => name.endsWith(extension)),
    );
  return language?.id ?? 'plaintext';
}
