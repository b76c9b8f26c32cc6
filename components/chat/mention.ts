/** The trigger and its query at the cursor: from `offset`, the trigger's position, to `endOffset`. */
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

/** The beginning of a reference at the cursor: an `@` that no other character precedes, and what follows it. */
export function writtenMention(text: string, cursor: number): WrittenTrigger | null {
  const written = /(?:^|\s)@([^\s"]*)$/.exec(text.slice(0, cursor));
  if (written === null) return null;
  const [, query = ''] = written;
  return { query, offset: cursor - query.length - 1, endOffset: cursor };
}

/**
 * The beginning of a command: a message that so far has only a `/` and the beginning of a name, such as `/review` or
 * `/weather:forecast`.
 */
export function writtenCommand(text: string, cursor: number): WrittenTrigger | null {
  const written = /^\/([\p{L}\p{N}:_.-]*)$/u.exec(text);
  if (written === null || cursor === 0) return null;
  return { query: text.slice(1, cursor), offset: 0, endOffset: text.length };
}
