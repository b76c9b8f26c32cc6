import { isTemporary } from '#lib/threads/temporary.ts';
import { DRAFTS_KEY } from './kept-keys.ts';

/** The drafts of this tab, by thread. */
interface OwnDrafts {
  texts: {
    /** The texts of all threads but temporary ones. */
    entries(): readonly (readonly [threadId: string, text: string])[];
    get(threadId: string): string;
  };
  files: ReadonlyMap<string, readonly File[]>;
}

/**
 * Shares drafts, which are messages that are not sent yet, with other tabs through the local storage. Passes the texts that
 * closed tabs have left there to `setText`, except for threads in which this tab has a text, and removes them. When this
 * page ends, leaves this tab's texts there; for a draft with only files, an empty text, so that the next tab takes the
 * files. `signal` ends this.
 */
export function shareDrafts(
  { texts, files }: OwnDrafts,
  setText: (threadId: string, text: string) => void,
  signal: AbortSignal,
): void {
  for (const [threadId, text] of read()) if (text !== '' && texts.get(threadId) === '') setText(threadId, text);
  write([]);
  const leave = () => {
    const withFiles = [...files].flatMap(([id, own]) =>
      own.length > 0 && !isTemporary(id) ? [[id, ''] as const] : [],
    );
    write([...new Map([...read(), ...withFiles, ...texts.entries()])]);
  };
  addEventListener('pagehide', leave, { signal });
}

function read(): [threadId: string, text: string][] {
  try {
    return JSON.parse(localStorage.getItem(DRAFTS_KEY) ?? '[]');
  } catch {
    // The browser refuses access, or the stored data is not from the studio.
    return [];
  }
}

function write(entries: readonly (readonly [string, string])[]): void {
  try {
    if (entries.length === 0) localStorage.removeItem(DRAFTS_KEY);
    else localStorage.setItem(DRAFTS_KEY, JSON.stringify(entries));
  } catch {
    // The entries are too large for the browser to keep, or it keeps nothing.
  }
}
