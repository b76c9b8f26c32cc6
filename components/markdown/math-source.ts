/** Code, or backticks that begin none, which are left alone; or what may be LaTeX between its delimiters. Bounded, so that no text takes long. */
const CODE_OR_MATH =
  /(?<code>(?<ticks>`{1,20})(?!`)[\s\S]{1,2000}?(?<!`)\k<ticks>(?!`)|`+)|\$\$[\s\S]{1,2000}?\$\$|\\\[[\s\S]{1,2000}?\\\]|\\\([\s\S]{1,2000}?\\\)|(?<![\\$\w])\$(?=\S)[^$\n]{1,500}?(?<=\S)\$(?![\d$])/g;

/** Matches signs of LaTeX that prices and brackets that are only escaped do not have. */
const LATEX = /\\[a-zA-Z,;:!]|[\^_=]/;

/**
 * Markdown in which LaTeX is shown as it was written. Markdown itself would drop the backslash of `\,` and make
 * subscripts italic.
 */
export function keepMathSource(markdown: string): string {
  return markdown.replace(CODE_OR_MATH, (span: string, code: string | undefined) => {
    if (code !== undefined || !LATEX.test(span.replace(/^\\[[(]|\\[\])]$/g, ''))) return span;
    return span.replace(/[!-/:-@[-`{-~]/g, '\\$&');
  });
}
