/** LSP's identifiers of languages by file extension, where they are not the extension itself. */
const LANGUAGE_IDS: ReadonlyMap<string, string> = new Map([
  ['.bash', 'shellscript'],
  ['.cc', 'cpp'],
  ['.cjs', 'javascript'],
  ['.cs', 'csharp'],
  ['.cts', 'typescript'],
  ['.cxx', 'cpp'],
  ['.ex', 'elixir'],
  ['.exs', 'elixir'],
  ['.h', 'c'],
  ['.hpp', 'cpp'],
  ['.hs', 'haskell'],
  ['.htm', 'html'],
  ['.js', 'javascript'],
  ['.jsx', 'javascriptreact'],
  ['.kt', 'kotlin'],
  ['.md', 'markdown'],
  ['.mjs', 'javascript'],
  ['.mts', 'typescript'],
  ['.pl', 'perl'],
  ['.py', 'python'],
  ['.pyi', 'python'],
  ['.rb', 'ruby'],
  ['.rs', 'rust'],
  ['.sh', 'shellscript'],
  ['.tf', 'terraform'],
  ['.ts', 'typescript'],
  ['.tsx', 'typescriptreact'],
  ['.yml', 'yaml'],
]);

/**
 * Returns the LSP identifier of a file's language: the one that `configured` has for its extension (the key, with the dot),
 * otherwise the usual one, and for an unknown extension the extension itself, without the dot.
 */
export function languageIdOf(path: string, configured: Readonly<Record<string, string>> = {}): string {
  const extension = /\.[^./]*$/.exec(path)?.[0] ?? '';
  const own = Object.hasOwn(configured, extension) ? configured[extension] : undefined;
  return own ?? LANGUAGE_IDS.get(extension) ?? extension.slice(1);
}
