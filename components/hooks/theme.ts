'use client';

import { useEffect, useSyncExternalStore } from 'react';
import type { Settings } from '#studio/settings.ts';

const DARK = '(prefers-color-scheme: dark)';

/** Checks whether the studio is dark, by the user's choice or else the system's. */
export function useIsDark(theme: Settings['theme']): boolean {
  const systemIsDark = useSyncExternalStore(
    (listener) => {
      const query = matchMedia(DARK);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => matchMedia(DARK).matches,
    () => false,
  );
  return theme === 'system' ? systemIsDark : theme === 'dark';
}

/** Sets the theme on the document, where the styles read it. */
export function useDocumentTheme(theme: Settings['theme']): void {
  const isDark = useIsDark(theme);
  useEffect(() => {
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  }, [isDark]);
}
