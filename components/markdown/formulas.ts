/** A formula of an answer. */
export interface Formula {
  /** The formula as it was written, with its delimiters. */
  source: string;
  /** The LaTeX between the delimiters. */
  tex: string;
  /** Whether it stands on lines of its own. */
  isDisplay: boolean;
}

/**
 * A Markdown source in which a mark stands for each formula (see `markFormulas`). To a Markdown parser, marks are plain
 * text.
 */
export interface MarkedSource {
  source: string;
  /** The formulas, each with its number in its mark. */
  formulas: readonly Formula[];
}

/** The characters around a formula's number. They are for private use, so hardly any text has them. */
const [MARK_START, MARK_END] = ['\uE0F0', '\uE0F1'];
const MARK = /\uE0F0(\d+)\uE0F1/g;

/** The marks of quotes and of a list item, before which a line has nothing else. */
const LINE_BEGINNING = String.raw`(?<=(?:^|\n)[ \t>]{0,20}(?:(?:[-*+]|\d{1,3}[.)])[ \t]{1,4})?)`;

/** A character of a formula on lines of its own: not code, and not before a blank line or an item of a list. */
const DISPLAYED = '(?:(?!`|\\n[ \\t>]*(?:\\n|(?:[-*+]|\\d{1,3}[.)])[ \\t]))[\\s\\S])';

/** The same for a formula whose delimiters stand alone on their lines, in which a line may look like an item of a list. */
const APART = '(?:(?!`|\\n[ \\t>]*\\n)[\\s\\S])';

/** The end of a line. */
const LINE_END = String.raw`(?=[ \t]*(?:\n|$))`;

/**
 * Matches code and lone backticks, to be skipped, and possible formulas with their delimiters. Bounded, so that no text takes
 * long.
 */
const CODE_OR_FORMULA = new RegExp(
  [
    String.raw`(?<code>(?<ticks>${'`'}{1,20})(?!${'`'})[\s\S]{1,2000}?(?<!${'`'})\k<ticks>(?!${'`'})|${'`'}+)`,
    String.raw`${LINE_BEGINNING}\$\$[ \t]*(?<apart>\n${APART}{1,4000}?)\n[ \t>]*\$\$${LINE_END}`,
    String.raw`${LINE_BEGINNING}\\\[[ \t]*(?<bracketsApart>\n${APART}{1,4000}?)\n[ \t>]*\\\]${LINE_END}`,
    String.raw`${LINE_BEGINNING}\$\$(?!\$)(?<dollars>${DISPLAYED}{1,4000}?)\$\$${LINE_END}`,
    String.raw`${LINE_BEGINNING}\\\[(?<brackets>${DISPLAYED}{1,4000}?)\\\]${LINE_END}`,
    String.raw`(?<![\\$\w])\$\$(?!\$)(?<double>[^$\n${'`'}]{1,500}?)(?<!\\)\$\$(?![\w$({])`,
    String.raw`${LINE_BEGINNING}(?<environment>\\begin\{(?<kind>(?:equation|align|gather|multline)\*?)\}${APART}{1,4000}?\\end\{\k<kind>\})${LINE_END}`,
    String.raw`\\\[(?<inBrackets>[^\n${'`'}]{1,500}?)\\\](?!\()`,
    String.raw`(?<!\\)\\\((?<parentheses>[^\n${'`'}]{1,500}?)\\\)`,
    String.raw`(?<![\\$\w])\$(?<inline>(?=\S)[^$\n${'`'}]{1,500}?(?<=[^\s\\]))\$(?![\w$({])`,
  ].join('|'),
  'g',
);

/** Matches the parts of LaTeX that prices, paths, and merely escaped brackets do not have. */
const LATEX = /\\[a-zA-Z,;:!|{}]|[\^_=]/;

/** Matches a command of LaTeX. */
const COMMAND = /\\[a-zA-Z]{2}/;

/** Matches signs of code: classes of a regular expression, selectors, strings, and names of variables. */
const CODE = /\\[dDwWsSbB](?![a-zA-Z])|(?<!\\)[#"@;]|^[A-Z][A-Z\d]*_[A-Z\d_]+\W*$|(?<!\^)[=+*/,:-]$/;

/** Matches a text of numbers, letters, and operators that ends with an operand. */
const EXPRESSION = /^[-+*/<>|!,.:()[\] 'a-zA-Z\d]*[a-zA-Z\d)\]!'|]$/;

/** Names of functions, which are the only words of more than two letters in an expression. */
const FUNCTIONS: ReadonlySet<string> = new Set('sin cos tan log exp max min mod gcd lim det'.split(' '));

/** Matches the short words of an expression: letters, their products, and differentials. */
const SHORT = /^(?:[a-z]{1,2}|[A-Z]{1,2})$/;

/** Matches an amount of money, such as `5` or `1,000.50`. */
const AMOUNT = /^[\d.,]+$/;

/** Checks whether a text is an expression without LaTeX, such as `f(x) + 1`, and not a price or a sentence. */
const isExpression = (text: string): boolean =>
  EXPRESSION.test(text) &&
  !AMOUNT.test(text) &&
  (text.match(/[a-zA-Z]+/g) ?? []).every((word) => SHORT.test(word) || FUNCTIONS.has(word));

/** Checks whether the text between delimiters within a line reads as a formula. */
const isFormula = (tex: string): boolean => (LATEX.test(tex) && !CODE.test(tex)) || isExpression(tex);

/**
 * Replaces the formulas of a Markdown source by marks, so that nothing in them is taken for Markdown. Formulas are written
 * as `$$…$$`, `\[…\]`, `\(…\)`, an environment such as `\begin{align}`, or, where that cannot be money or a variable of a
 * shell, `$…$`.
 */
export function markFormulas(markdown: string): MarkedSource {
  if (!/[$\\]/.test(markdown) || markdown.includes(MARK_START)) return { source: markdown, formulas: [] };
  const formulas: Formula[] = [];
  const source = markdown.replaceAll(CODE_OR_FORMULA, (...match) => {
    const [whole, at] = [match[0] as string, match.at(-3) as number];
    const groups = match.at(-1) as Record<string, string | undefined>;
    const { code, apart, bracketsApart, environment, dollars, brackets, double, inBrackets, parentheses, inline } =
      groups;
    if (code !== undefined) return whole;
    const displayed = apart ?? bracketsApart ?? environment ?? dollars ?? brackets;
    const inside = displayed ?? double ?? inBrackets ?? parentheses ?? inline ?? '';
    const tex = (isQuoted(markdown, at) ? withoutQuotes(inside) : inside).trim();
    // Brackets in running text are hardly ever a formula unless they have commands.
    const counts =
      displayed === undefined
        ? isFormula(tex) && (inBrackets === undefined || COMMAND.test(tex))
        : LATEX.test(tex) || isExpression(tex);
    if (!counts) return whole;
    const isDisplay = displayed !== undefined || inBrackets !== undefined;
    return `${MARK_START}${formulas.push({ source: whole, tex, isDisplay }) - 1}${MARK_END}`;
  });
  return { source, formulas };
}

/** The most characters before a formula on lines of its own, as in `LINE_BEGINNING`. */
const BEGINNING_MAX = 30;

/** Checks whether the line on which a formula begins is one of a quote. */
const isQuoted = (markdown: string, at: number): boolean =>
  /(?:^|\n)[ \t]*>[^\n]*$/.test(markdown.slice(Math.max(0, at - BEGINNING_MAX), at));

/** Removes the marks of a quote from the lines of a formula but the first. */
const withoutQuotes = (tex: string): string => tex.replace(/\n[ \t]*(?:>[ \t]?)+/g, '\n');

/** The properties of a Markdown tree's node (mdast) that the plugin uses. */
interface Node {
  type: string;
  value?: string;
  url?: string;
  title?: string | null;
  alt?: string | null;
  children?: Node[];
  data?: { hName: string; hProperties: Record<string, string | number> };
}

/**
 * A remark plugin that turns the marks of formulas into elements `var`, with the formula's number as `data-formula`. Where
 * there can be none, such as in code and in addresses, the formulas stand as they were written.
 */
export const formulaNodes = (formulas: readonly Formula[]) => (tree: Node) => place(tree, formulas);

/** Replaces the marks of formulas in a text by the formulas as they were written. */
export const asWritten = (text: string, formulas: readonly Formula[]): string =>
  text.replaceAll(MARK, (whole, index: string) => formulas[Number(index)]?.source ?? whole);

/** Replaces the marks of formulas in a text by the LaTeX of the formulas, without their delimiters. */
export const withLatex = (text: string, formulas: readonly Formula[]): string =>
  text.replaceAll(MARK, (whole, index: string) => formulas[Number(index)]?.tex ?? whole);

function place(node: Node, formulas: readonly Formula[]): void {
  const written = (text: string): string => asWritten(text, formulas);
  if (node.url) node.url = written(node.url);
  if (node.title) node.title = written(node.title);
  if (node.alt) node.alt = written(node.alt);
  if (node.value !== undefined) node.value = written(node.value);
  node.children = node.children?.flatMap((child) => {
    if (child.type === 'text') return parted(child.value ?? '');
    place(child, formulas);
    return [child];
  });
}

/** Divides a text into texts and formulas. */
function parted(text: string): Node[] {
  return text.split(MARK).flatMap((piece, index): Node[] => {
    // Every second piece is what the pattern's group has matched.
    if (index % 2 === 0) return piece === '' ? [] : [{ type: 'text', value: piece }];
    return [{ type: 'emphasis', children: [], data: { hName: 'var', hProperties: { dataFormula: Number(piece) } } }];
  });
}
