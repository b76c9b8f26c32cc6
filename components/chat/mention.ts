/**
 * A trigger, `@` or `/`, at `offset` of a text, and the query that follows it. A completion replaces the text from `offset`
 * to `endOffset`.
 */
export interface WrittenTrigger {
  query: string;
  offset: number;
  endOffset: number;
}

/** A reference to a file or folder as it stands in a message: `@/src/App.tsx`, `@/src/`, or `@"/My notes.md"`. */
export function mentionOf(path: string, isFolder: boolean): string {
  const target = isFolder ? `${path}/` : path;
  return /[\s"]/.test(target) ? `@${JSON.stringify(target)}` : `@${target}`;
}

/** The unfinished reference at the cursor: an `@` at the start or after white space, and what follows it. Null without one. */
export function writtenMention(text: string, cursor: number): WrittenTrigger | null {
  const written = /(?:^|\s)@([^\s"]*)$/.exec(text.slice(0, cursor));
  if (written === null) return null;
  const [, query = ''] = written;
  return { query, offset: cursor - query.length - 1, endOffset: cursor };
}

/**
 * The unfinished command that is the whole message so far: a `/` and the beginning of a name, such as `/review` or
 * `/weather:forecast`. The query is what stands before the cursor; a completion replaces the whole message. Null if the
 * message is anything else.
 */
export function writtenCommand(text: string, cursor: number): WrittenTrigger | null {
  const written = /^\/([\p{L}\p{N}:_.-]*)$/u.exec(text);
  if (written === null || cursor === 0) return null;
  return { query: text.slice(1, cursor), offset: 0, endOffset: text.length };
}
