import { useCallback, useEffect, useRef } from 'react';
import { useSettings } from '#components/hooks/studio-provider.tsx';
import { useIsDark } from '#components/hooks/theme.ts';
import type { EditorSettings } from '#studio/settings.ts';
import { monaco, setTheme } from './monaco.ts';

/** The class of an editor's container. It brings the theme's colors to the menus that Monaco attaches there. */
export const EDITOR_CONTAINER = 'monaco-component';

const EDITOR_OPTIONS = {
  automaticLayout: true,
  fixedOverflowWidgets: true,
  fontFamily: 'var(--font-mono)',
  fontLigatures: false,
  minimap: { enabled: false },
  scrollBeyondLastLine: false,
  scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10 },
  tabFocusMode: false,
  // Monaco would offer to remove a character such as U+2028 from the file.
  unusualLineTerminators: 'off',
} satisfies monaco.editor.IEditorOptions;

/** Returns the user's settings as options of Monaco. The tab width applies to all files without an indentation of their own. */
const chosenOptions = ({ fontSize, wraps, tabWidth }: EditorSettings) =>
  ({ fontSize, wordWrap: wraps ? 'on' : 'off', tabSize: tabWidth }) satisfies monaco.editor.IEditorOptions &
    monaco.editor.IGlobalEditorOptions;

/** Returns Monaco's options for any editor in the studio: the fixed ones, and those from the user's settings. */
export const editorOptions = (settings: EditorSettings) => ({ ...EDITOR_OPTIONS, ...chosenOptions(settings) });

/** Applies the user's editor settings to an editor whenever they change. */
export function useEditorSettings(editor: monaco.editor.IStandaloneCodeEditor | undefined): void {
  const settings = useSettings((state) => state.editor);
  useEffect(() => editor?.updateOptions(chosenOptions(settings)), [editor, settings]);
}

/** The accessible names of a diff editor's sides. */
export interface DiffNames {
  original: string;
  modified: string;
}

/**
 * Applies the user's settings and the latest accessible names of the sides to a diff editor. Returns a function that returns
 * the latest names, to be passed to `keepNames`.
 */
export function useDiffSettings(
  editor: monaco.editor.IStandaloneDiffEditor | undefined,
  { original, modified }: DiffNames,
): () => DiffNames {
  const settings = useSettings((state) => state.editor);
  useEffect(() => editor?.updateOptions(chosenOptions(settings)), [editor, settings]);
  useEffect(() => {
    if (editor !== undefined) setNames(editor, { original, modified });
  }, [editor, original, modified]);
  const latest = useRef<DiffNames>({ original, modified });
  latest.current = { original, modified };
  return useCallback(() => latest.current, []);
}

/**
 * Sets the accessible names of a new diff editor's sides, and sets them again when Monaco drops them: after creation, when
 * the options change, and when the editor changes between one column and two. `names`: returns the latest names.
 */
export function keepNames(editor: monaco.editor.IStandaloneDiffEditor, names: () => DiffNames): void {
  const set = () => setNames(editor, names());
  set();
  editor.getOriginalEditor().onDidChangeConfiguration(set);
  editor.getModifiedEditor().onDidChangeConfiguration(set);
}

function setNames(editor: monaco.editor.IStandaloneDiffEditor, { original, modified }: DiffNames): void {
  setName(editor.getOriginalEditor(), original);
  setName(editor.getModifiedEditor(), modified);
}

function setName(side: monaco.editor.ICodeEditor, ariaLabel: string): void {
  if (side.getOption(monaco.editor.EditorOption.ariaLabel) !== ariaLabel) side.updateOptions({ ariaLabel });
}

/** Sets the studio's theme for all editors. */
export function useEditorTheme(): void {
  const isDark = useIsDark(useSettings(({ theme }) => theme));
  useEffect(() => setTheme(isDark ? 'dark' : 'light'), [isDark]);
}

/** Monaco's id of a file's language, by the file's name; `plaintext` if the name is unknown. */
export function monacoLanguageOf(path: string): string {
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
