const KEY = 'roundtrip-studio:first-paint';

interface FirstPaint {
  theme: string;
  locale: string | null;
  /** The keys that the person has set, by shortcut. */
  shortcuts: Readonly<Record<string, readonly string[]>>;
}

/** Stores the theme, the language, and the keys of shortcuts, which the next visit needs before the database is open. */
export function rememberFirstPaint({ theme, locale, shortcuts }: FirstPaint): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ theme, locale, shortcuts }));
  } catch {
    // Without it, the first paint uses the system's colors.
  }
}

/**
 * Returns the keys that the person has set for shortcuts, as `rememberFirstPaint` has stored them; none if they cannot be
 * read.
 */
export function rememberedShortcuts(): Pick<FirstPaint, 'shortcuts'> {
  try {
    return { shortcuts: {}, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
  } catch {
    // Until the settings are read, the shortcuts are the default ones.
    return { shortcuts: {} };
  }
}

/**
 * The script that sets the theme and the language of the last visit. It runs before the first paint, so that users of the dark
 * theme see no white flash.
 */
export const FIRST_PAINT_SCRIPT = `try {
  const { theme, locale } = JSON.parse(localStorage.getItem(${JSON.stringify(KEY)}) ?? '{}');
  const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  if (locale) document.documentElement.lang = locale;
} catch {}`;
