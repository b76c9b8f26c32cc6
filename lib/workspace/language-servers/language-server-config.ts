/** The configuration of a language server: the command that starts it, and the files that it checks. */
export interface LanguageServerConfig {
  /** Appears in messages, and as the source of problems for which the server names none. */
  name: string;
  /** The program and its arguments. It runs in the checked folder and speaks LSP on its standard input and output. */
  command: readonly string[];
  /** Globs as `globMatcher` of `lib/workspace/search` takes them: `*.ts` matches in every folder. */
  files: readonly string[];
  /** LSP's identifiers of languages by file extension, such as `{ ".mdx": "mdx" }`, in addition to the usual ones. */
  languageIds?: Readonly<Record<string, string>>;
  /** Passed to the server when it starts. */
  initializationOptions?: unknown;
  /** The answers to its questions about settings, by section. */
  settings?: Readonly<Record<string, unknown>>;
}
