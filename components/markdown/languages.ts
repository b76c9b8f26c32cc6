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
export function languageOf(name: string): Language | undefined {
  const lower = name.toLowerCase();
  return ALIASES.get(lower) ?? LANGUAGES.find((language) => language === lower);
}

/** The highlighter's name for a file's language, by the extension; undefined if it cannot be highlighted. */
export const languageOfPath = (path: string): Language | undefined => languageOf(/\.([^./]+)$/.exec(path)?.[1] ?? '');
