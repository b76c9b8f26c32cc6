/** The languages that can be highlighted. */
const LANGUAGES = [
  'bash',
  'css',
  'diff',
  'go',
  'html',
  'java',
  'javascript',
  'json',
  'jsx',
  'markdown',
  'python',
  'rust',
  'sql',
  'tsx',
  'typescript',
  'xml',
  'yaml',
] as const;

export type Language = (typeof LANGUAGES)[number];

const ALIASES = new Map<string, Language>([
  ['js', 'javascript'],
  ['mjs', 'javascript'],
  ['cjs', 'javascript'],
  ['ts', 'typescript'],
  ['mts', 'typescript'],
  ['py', 'python'],
  ['sh', 'bash'],
  ['shell', 'bash'],
  ['zsh', 'bash'],
  ['md', 'markdown'],
  ['yml', 'yaml'],
  ['rs', 'rust'],
  ['htm', 'html'],
  ['svg', 'xml'],
  ['patch', 'diff'],
  ['jsonc', 'json'],
]);

/** The highlighter's name for a language, given by any name or a file extension; undefined if it cannot be highlighted. */
export function highlightLanguageOf(name: string): Language | undefined {
  const lower = name.toLowerCase();
  return ALIASES.get(lower) ?? LANGUAGES.find((language) => language === lower);
}

/** The extensions of files whose languages have another name. */
const EXTENSIONS: Readonly<Partial<Record<Language, string>>> = {
  bash: 'sh',
  javascript: 'js',
  markdown: 'md',
  python: 'py',
  rust: 'rs',
  typescript: 'ts',
};

/**
 * Returns a name for a file with code, such as `code.py`. `language`: as it was written. It decides the extension, which is
 * `txt` if the language is neither known nor looks like an extension.
 */
export function fileNameFor(language = ''): string {
  const isExtension = /^[a-z0-9]{1,5}$/i.test(language);
  const known = highlightLanguageOf(language);
  return `code.${(known && EXTENSIONS[known]) ?? (isExtension ? language.toLowerCase() : (known ?? 'txt'))}`;
}

/** The highlighter's name for a file's language, by the extension; undefined if it cannot be highlighted. */
export const languageOfPath = (path: string): Language | undefined =>
  highlightLanguageOf(/\.([^./]+)$/.exec(path)?.[1] ?? '');
