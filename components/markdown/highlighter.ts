import type { GrammarState, HighlighterCore, ThemedToken } from 'shiki/core';
import { createHighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { CODE_THEME } from './code-theme.ts';
import type { Language } from './languages.ts';
import { CODE_LIMITS } from './limits.ts';

type LanguageModule = Parameters<HighlighterCore['loadLanguage']>[0];

/** The grammars; each is a separate chunk. */
const GRAMMARS: Record<Language, () => Promise<{ default: LanguageModule }>> = {
  bash: () => import('shiki/langs/bash.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  jsx: () => import('shiki/langs/jsx.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
};

let highlighter: Promise<HighlighterCore> | undefined;

const getHighlighter = (): Promise<HighlighterCore> => {
  highlighter ??= createHighlighterCore({
    themes: [CODE_THEME],
    langs: [],
    engine: createJavaScriptRegexEngine(),
  });
  return highlighter;
};

/** Highlights code as it grows: each line once, when it is complete. */
export class CodeHighlighter {
  readonly #shiki: HighlighterCore;
  readonly #language: Language;
  #state: GrammarState | undefined;
  /** The length of the complete lines that were highlighted, in characters. */
  length = 0;

  private constructor(shiki: HighlighterCore, language: Language) {
    this.#shiki = shiki;
    this.#language = language;
  }

  /** Loads a language's grammar, and creates a highlighter for one piece of code. Rejects if the grammar cannot be loaded. */
  static async load(language: Language): Promise<CodeHighlighter> {
    const shiki = await getHighlighter();
    if (!shiki.getLoadedLanguages().includes(language)) {
      await shiki.loadLanguage((await GRAMMARS[language]()).default);
    }
    return new CodeHighlighter(shiki, language);
  }

  /** Returns the tokens of the complete lines in the next piece of the code; with `isWhole`, also of its last line. */
  highlight(added: string, isWhole: boolean): ThemedToken[][] {
    const end = added.lastIndexOf('\n') + 1;
    const lines: ThemedToken[][] = [];
    if (end > 0) {
      const { tokens, grammarState } = this.#tokenize(added.slice(0, end - 1));
      lines.push(...tokens);
      this.#state = grammarState;
      this.length += end;
    }
    const rest = added.slice(end);
    if (isWhole && rest !== '') lines.push(...this.#tokenize(rest).tokens);
    return lines;
  }

  #tokenize(code: string) {
    return this.#shiki.codeToTokens(code, {
      lang: this.#language,
      theme: CODE_THEME.name,
      tokenizeMaxLineLength: CODE_LIMITS.lineMax,
      tokenizeTimeLimit: CODE_LIMITS.lineMs,
      ...(this.#state === undefined ? {} : { grammarState: this.#state }),
    });
  }
}
