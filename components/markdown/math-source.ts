/** Matches code and lone backticks, to be skipped, and possible LaTeX with its delimiters. Bounded, so no text takes long. */
const CODE_OR_MATH =
  /(?<code>(?<ticks>`{1,20})(?!`)[\s\S]{1,2000}?(?<!`)\k<ticks>(?!`)|`+)|\$\$[\s\S]{1,2000}?\$\$|\\\[[\s\S]{1,2000}?\\\]|\\\([\s\S]{1,2000}?\\\)|(?<![\\$\w])\$(?=\S)[^$\n]{1,500}?(?<=\S)\$(?![\d$])/g;

/** Matches what LaTeX has, and prices or merely escaped brackets do not. */
const LATEX = /\\[a-zA-Z,;:!]|[\^_=]/;

/**
 * Escapes LaTeX in Markdown, so that it is shown as it was written. Otherwise, Markdown would drop the backslash of `\,`
 * and make subscripts italic.
 */
export function keepMathSource(markdown: string): string {
  return markdown.replace(CODE_OR_MATH, (span: string, code: string | undefined) => {
    if (code !== undefined || !LATEX.test(span.replace(/^\\[[(]|\\[\])]$/g, ''))) return span;
    return span.replace(/[!-/:-@[-`{-~]/g, '\\$&');
  });
}
