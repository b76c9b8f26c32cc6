import { Marked } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import { markdownDialect } from '#lib/base/markdown/dialect.ts';
import { FOLLOWS_STUDIO } from '../color-scheme.ts';

/**
 * The CSS of Markdown pages. The colors are those of the studio's themes; without a theme, the system's choice decides
 * between the two.
 */
const MARKDOWN_STYLE =
  ':root{color-scheme:light dark;--line:light-dark(#e2e2e6,#303036);--sunken:light-dark(#f7f7f8,#121214)}' +
  'body{font:16px/1.6 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:light-dark(#1b1b20,#ececf1);background:light-dark(#ffffff,#18181b)}' +
  'a{color:light-dark(#2756c5,#8fb1ff)}hr{border:0;border-top:1px solid var(--line)}' +
  'pre,code{font-family:ui-monospace,monospace;background:var(--sunken);border-radius:4px}code{padding:.1em .3em}pre{padding:.8em;overflow:auto}pre code{padding:0}' +
  'table{border-collapse:collapse}td,th{border:1px solid var(--line);padding:.3em .6em}blockquote{border-left:3px solid var(--line);margin-left:0;padding-left:1em;color:light-dark(#5c5c66,#a5a5b0)}img{max-width:100%}';

/** Returns a Markdown text as an HTML page in the studio's colors, whose headings can be linked to. */
export function markdownPage(markdown: string): string {
  const body = new Marked({ async: false }, gfmHeadingId(), ...markdownDialect()).parse(markdown);
  return `<!doctype html><html ${FOLLOWS_STUDIO}><head><meta charset="utf-8"><style>${MARKDOWN_STYLE}</style></head><body>${body}</body></html>`;
}
