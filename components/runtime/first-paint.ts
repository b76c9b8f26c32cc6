const KEY = 'roundtrip-studio:first-paint';

/** Keeps what the next visit's first paint needs before the database is open. */
export function rememberFirstPaint({ theme, locale }: { theme: string; locale: string | null }): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ theme, locale }));
  } catch {
    // Without it the first paint has the system's colours.
  }
}

/** Runs before anything is painted, so that no one who chose the dark sees a flash of light. */
export const FIRST_PAINT_SCRIPT = `try {
  const { theme, locale } = JSON.parse(localStorage.getItem(${JSON.stringify(KEY)}) ?? '{}');
  const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  if (locale) document.documentElement.lang = locale;
} catch {}`;
