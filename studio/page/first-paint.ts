const KEY = 'roundtrip-studio:first-paint';

/** Stores what the next visit needs for its first paint, before the database is open. */
export function rememberFirstPaint({ theme, locale }: { theme: string; locale: string | null }): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ theme, locale }));
  } catch {
    // Without it, the first paint uses the system's colors.
  }
}

/** Runs before the first paint, so that users of the dark theme see no white flash. */
export const FIRST_PAINT_SCRIPT = `try {
  const { theme, locale } = JSON.parse(localStorage.getItem(${JSON.stringify(KEY)}) ?? '{}');
  const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  if (locale) document.documentElement.lang = locale;
} catch {}`;
