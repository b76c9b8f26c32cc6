/** A `details` element of an answer. */
export interface Details {
  /** Markdown; empty if there is none. */
  summary: string;
  content: string;
  isOpen: boolean;
}

const START = /^\s*<details(\s[^>]{0,200})?>/i;
const SUMMARY_START = /^\s*<summary(?:\s[^>]{0,200})?>/i;
const SUMMARY_END = /<\/summary\s*>/i;
const END = /<\/details\s*>\s*$/i;

/** Reads a `details` element, which may not be complete yet. `source`: begins with its opening tag. */
export function detailsOf(source: string): Details {
  const start = START.exec(source);
  const inside = source.slice(start?.[0].length ?? 0).replace(END, '');
  const isOpen = /\sopen(?=[\s=]|$)/i.test(start?.[1] ?? '');
  const summary = SUMMARY_START.exec(inside)?.[0];
  if (summary === undefined) return { summary: '', content: inside, isOpen };
  const after = inside.slice(summary.length);
  const end = SUMMARY_END.exec(after);
  // The summary is still being written.
  if (end === null) return { summary: after.trim(), content: '', isOpen };
  return { summary: after.slice(0, end.index).trim(), content: after.slice(end.index + end[0].length), isOpen };
}
