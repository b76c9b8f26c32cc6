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

/** The highlighter's name for a language or a file extension. */
export function languageOf(name: string): Language | undefined {
  const lower = name.toLowerCase();
  return ALIASES.get(lower) ?? LANGUAGES.find((language) => language === lower);
}

/** The language of a file, by its extension. */
export const languageOfPath = (path: string): Language | undefined => languageOf(/\.([^./]+)$/.exec(path)?.[1] ?? '');
