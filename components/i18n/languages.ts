import type { Messages } from './catalog.ts';
import { en } from './en.ts';

interface Language {
  /** A BCP 47 tag, which is also the catalog's `locale`. */
  locale: string;
  /** Its own name. */
  name: string;
  /** Loads its catalog, which is not part of the page. */
  load(): Promise<Messages>;
}

/** All languages that a person can choose. A new one is a file and an entry here. */
export const LANGUAGES: readonly Language[] = [
  { locale: 'en', name: 'English', load: async () => en },
  { locale: 'zh-CN', name: '简体中文', load: async () => (await import('./zh-cn.ts')).zhCn },
];

const primary = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? '';

/** A language by its tag; undefined if the studio does not speak it. */
const findLanguage = (locale: string | null): Language | undefined =>
  LANGUAGES.find((language) => language.locale === locale);

/**
 * Returns the tag of the interface's language: the user's choice, or else the first of the browser's languages that the
 * studio has, or else `en`.
 */
export function resolveLocale(chosen: string | null, browser: readonly string[] = navigator.languages): string {
  const known = findLanguage(chosen);
  if (known !== undefined) return known.locale;
  for (const tag of browser) {
    const spoken = LANGUAGES.find(({ locale }) => primary(locale) === primary(tag));
    if (spoken !== undefined) return spoken.locale;
  }
  return 'en';
}

/** The texts of a language; English if they cannot be loaded. */
export async function loadMessages(locale: string): Promise<Messages> {
  try {
    return (await findLanguage(locale)?.load()) ?? en;
  } catch {
    return en;
  }
}
