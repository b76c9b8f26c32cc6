import { useEffect } from 'react';
import { useSettings } from '#components/hooks/studio-provider.tsx';
import { useIsDark } from '#components/hooks/theme.ts';
import { monaco, THEMES } from './monaco.ts';

/** The class of an editor's container. It brings the theme's colors to the menus that Monaco attaches there. */
export const EDITOR_CONTAINER = 'monaco-component';

/** The options of every editor in the studio. */
export const EDITOR_OPTIONS = {
  automaticLayout: true,
  fixedOverflowWidgets: true,
  fontFamily: 'var(--font-mono)',
  fontSize: 13,
  minimap: { enabled: false },
  scrollBeyondLastLine: false,
  tabFocusMode: false,
} satisfies monaco.editor.IEditorOptions;

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
