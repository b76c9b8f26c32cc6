import { useEffect } from 'react';
import { useSettings } from '#components/runtime/studio-provider.tsx';
import { useIsDark } from '#components/runtime/theme.ts';
import { DARK_THEME, monaco } from './monaco.ts';

/** How every editor of the studio looks. */
export const EDITOR_OPTIONS = {
  automaticLayout: true,
  fixedOverflowWidgets: true,
  fontFamily: 'var(--font-mono)',
  fontSize: 13,
  minimap: { enabled: false },
  scrollBeyondLastLine: false,
  tabFocusMode: false,
} satisfies monaco.editor.IEditorOptions;

/** Gives all editors the studio's theme. */
export function useEditorTheme(): void {
  const isDark = useIsDark(useSettings(({ theme }) => theme));
  useEffect(() => monaco.editor.setTheme(isDark ? DARK_THEME : 'vs'), [isDark]);
}

/** The language of a file by its name, for models that have no address in a workspace. */
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
