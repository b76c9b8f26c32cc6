import type { GrammarState, HighlighterCore, ThemedToken } from 'shiki/core';

/** Longer code is not highlighted: it would cost more than it is worth. */
export const HIGHLIGHT_MAX_CHARACTERS = 40_000;

export const LIGHT_THEME = 'github-light-high-contrast';
export const DARK_THEME = 'github-dark-high-contrast';

type LanguageModule = Parameters<HighlighterCore['loadLanguage']>[0];

/** The supported languages; each is a separate chunk. */
const LANGUAGES = new Map<string, () => Promise<{ default: unknown }>>([
  ['bash', () => import('shiki/langs/bash.mjs')],
  ['css', () => import('shiki/langs/css.mjs')],
  ['diff', () => import('shiki/langs/diff.mjs')],
  ['go', () => import('shiki/langs/go.mjs')],
  ['html', () => import('shiki/langs/html.mjs')],
  ['java', () => import('shiki/langs/java.mjs')],
  ['javascript', () => import('shiki/langs/javascript.mjs')],
  ['json', () => import('shiki/langs/json.mjs')],
  ['jsx', () => import('shiki/langs/jsx.mjs')],
  ['markdown', () => import('shiki/langs/markdown.mjs')],
  ['python', () => import('shiki/langs/python.mjs')],
  ['rust', () => import('shiki/langs/rust.mjs')],
  ['sql', () => import('shiki/langs/sql.mjs')],
  ['tsx', () => import('shiki/langs/tsx.mjs')],
  ['typescript', () => import('shiki/langs/typescript.mjs')],
  ['xml', () => import('shiki/langs/xml.mjs')],
  ['yaml', () => import('shiki/langs/yaml.mjs')],
]);

const ALIASES = new Map([
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
export function languageOf(name: string): string | undefined {
  const lower = name.toLowerCase();
  const language = ALIASES.get(lower) ?? lower;
  return LANGUAGES.has(language) ? language : undefined;
}

/** The language of a file, by its extension. */
export const languageOfPath = (path: string): string | undefined => languageOf(/\.([^./]+)$/.exec(path)?.[1] ?? '');

let highlighter: Promise<HighlighterCore> | undefined;

/** A failed load is retried on the next use. */
function getHighlighter(): Promise<HighlighterCore> {
  highlighter ??= createHighlighter().catch((error: unknown) => {
    highlighter = undefined;
    throw error;
  });
  return highlighter;
}

/** Preloads the highlighter before the first code. */
export const preloadHighlighter = (): Promise<unknown> => getHighlighter().catch(() => undefined);

async function createHighlighter(): Promise<HighlighterCore> {
  const [{ createHighlighterCore }, { createJavaScriptRegexEngine }, light, dark] = await Promise.all([
    import('shiki/core'),
    import('shiki/engine/javascript'),
    import('shiki/themes/github-light-high-contrast.mjs'),
    import('shiki/themes/github-dark-high-contrast.mjs'),
  ]);
  return createHighlighterCore({
    themes: [light.default, dark.default],
    langs: [],
    engine: createJavaScriptRegexEngine(),
  });
}

/** Highlights code as it grows: each line once, when it is complete, in both themes. */
export class CodeHighlighter {
  readonly #shiki: HighlighterCore;
  readonly #language: string;
  #done = '';
  #lines: ThemedToken[][] = [];
  #state: GrammarState | undefined;

  private constructor(shiki: HighlighterCore, language: string) {
    this.#shiki = shiki;
    this.#language = language;
  }

  /** Rejects if the highlighter cannot be loaded. */
  static async load(language: string): Promise<CodeHighlighter> {
    const shiki = await getHighlighter();
    const load = LANGUAGES.get(language);
    if (load !== undefined && !shiki.getLoadedLanguages().includes(language)) {
      await shiki.loadLanguage((await load()).default as LanguageModule);
    }
    return new CodeHighlighter(shiki, language);
  }

  /** The highlighted complete lines of the code; with `isWhole`, including the last one. */
  highlight(code: string, isWhole: boolean): HighlightedCode {
    if (!code.startsWith(this.#done)) {
      this.#done = '';
      this.#lines = [];
      this.#state = undefined;
    }
    const end = code.lastIndexOf('\n') + 1;
    if (end > this.#done.length) {
      const added = this.#tokenize(code.slice(this.#done.length, end - 1));
      this.#lines = [...this.#lines, ...added.tokens];
      this.#state = added.grammarState;
      this.#done = code.slice(0, end);
    }
    const rest = code.slice(end);
    if (!isWhole || rest === '') return { lines: this.#lines, rest };
    return { lines: [...this.#lines, ...this.#tokenize(rest).tokens], rest: '' };
  }

  #tokenize(code: string) {
    return this.#shiki.codeToTokens(code, {
      lang: this.#language,
      themes: { light: LIGHT_THEME, dark: DARK_THEME },
      defaultColor: false,
      ...(this.#state === undefined ? {} : { grammarState: this.#state }),
    });
  }
}

export interface HighlightedCode {
  lines: readonly (readonly ThemedToken[])[];
  /** The text after these lines, without highlighting. */
  rest: string;
}
