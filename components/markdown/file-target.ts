import { resolvePath } from '#lib/vfs/paths.ts';

/** A file of the workspace to which a text refers, and the place in it, if any. The file may not exist. */
export interface FileTarget {
  path: string;
  place?: { line: number; column?: number };
}

/** Matches a place after a path: a line, perhaps with a column or a last line, as in `:12`, `:12:5`, `:12-20`, `#L12-L20`. */
const PLACE = /(?::(\d{1,9})(?::(\d{1,9})|-\d{1,9})?|#L(\d{1,9})(?:-L?\d{1,9})?)$/;

/**
 * Returns the workspace file to which a link in an answer leads; undefined for any other address, such as one of the web.
 */
export function targetOfLink(href: string): FileTarget | undefined {
  const path = href.replace(/^file:\/\/(?=\/)/, '');
  // A number after a colon is a line, not a port: `notes:12` is a file, not a host.
  const isElsewhere = /^(?:[a-z][a-z\d+.-]*:(?!\d)|\/\/|#|\?|www\.)/i.test(path);
  if (path === '' || isElsewhere) return undefined;
  return targetOf(path, decoded);
}

/** Decodes percent escapes. A path with a `%` that begins no escape is returned as it is. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Removes a query or an anchor from a path. A `?` or `#` before the extension is part of the name, as in `a#b.png`. */
function withoutQuery(path: string): string {
  const at = path.search(/[?#]/);
  const isInName = at !== -1 && !/\.\w+$/.test(path.slice(0, at)) && /\.\w+$/.test(path);
  return at === -1 || isInName ? path : path.slice(0, at);
}

/** The file that inline code may name, by its form: a path with a folder, or a name with an extension. Otherwise undefined. */
export function targetOfCode(code: string): FileTarget | undefined {
  const isName = /^[\w@.()[\]-]*[\w)\]-]\.[a-z]\w{0,9}(?::\d{1,9}(?:[:-]\d{1,9})?)?$/i.test(code);
  const isPath =
    code.length <= 300 &&
    /^(?:\.{1,2}\/|\/)?[^\s/:*?"<>|]+(?:\/[^\s/:*?"<>|]+)*(?::\d{1,9}(?:[:-]\d{1,9})?)?$/.test(code);
  return isName || (isPath && code.includes('/')) ? targetOf(code) : undefined;
}

function targetOf(text: string, decode = (path: string) => path): FileTarget | undefined {
  const [place = '', line, column, anchor] = PLACE.exec(text) ?? [];
  const path = place === '' ? text : text.slice(0, -place.length);
  const at = Number(line ?? anchor ?? 0);
  try {
    const resolved = resolvePath(decode(withoutQuery(path)));
    if (resolved === '/') return undefined;
    return {
      path: resolved,
      ...(at > 0 && { place: { line: at, ...(column !== undefined && { column: Number(column) }) } }),
    };
  } catch {
    // The text is not a valid path in a workspace.
    return undefined;
  }
}
