/** A `details` element of an answer. */
export interface Details {
  /** Markdown; empty if there is none. */
  summary: string;
  content: string;
  /** The Markdown after the closing tag, in the same line. */
  rest: string;
  isOpen: boolean;
}

const START = /^\s*<details(\s[^>]{0,200})?>/i;
const SUMMARY_START = /^\s*<summary(?:\s[^>]{0,200})?>/i;
const SUMMARY_END = /<\/summary\s*>/i;
const END = /<\/details\s*>/gi;

/** Reads a `details` element, which may not be complete yet. `source`: begins with its opening tag. */
export function detailsOf(source: string): Details {
  const start = START.exec(source);
  const from = start?.[0].length ?? 0;
  const isOpen = /\sopen(?=[\s=]|$)/i.test(start?.[1] ?? '');
  const end = [...source.matchAll(END)].at(-1);
  const inside = source.slice(from, end?.index);
  const rest = end === undefined ? '' : source.slice(end.index + end[0].length).trim();
  const summary = SUMMARY_START.exec(inside)?.[0];
  if (summary === undefined) return { summary: '', content: inside, rest, isOpen };
  const after = inside.slice(summary.length);
  const summaryEnd = SUMMARY_END.exec(after);
  // The summary is still being written.
  if (summaryEnd === null) return { summary: after.trim(), content: '', rest, isOpen };
  const content = after.slice(summaryEnd.index + summaryEnd[0].length);
  return { summary: after.slice(0, summaryEnd.index).trim(), content, rest, isOpen };
}
