import { DRAFTS_KEY } from './kept-keys.ts';

/** The drafts of this tab's lasting threads. */
interface OwnDrafts {
  /** The texts by thread. */
  entries(): readonly (readonly [threadId: string, text: string])[];
  get(threadId: string): string;
}

/**
 * Gives this tab the drafts of tabs that were closed, and leaves its own ones behind when it is closed itself. A reload leaves
 * them as well, and finds that it has them already.
 */
export function shareDrafts(
  drafts: OwnDrafts,
  setText: (threadId: string, text: string) => void,
  signal: AbortSignal,
): void {
  for (const [threadId, text] of read()) if (drafts.get(threadId) === '') setText(threadId, text);
  write([]);
  const leave = () => write([...new Map([...read(), ...drafts.entries()])]);
  addEventListener('pagehide', leave, { signal });
}

function read(): [threadId: string, text: string][] {
  try {
    return JSON.parse(localStorage.getItem(DRAFTS_KEY) ?? '[]');
  } catch {
    return [];
  }
}

function write(entries: readonly (readonly [string, string])[]): void {
  try {
    if (entries.length === 0) localStorage.removeItem(DRAFTS_KEY);
    else localStorage.setItem(DRAFTS_KEY, JSON.stringify(entries));
  } catch {
    // They are too large for the browser to keep, or it keeps nothing.
  }
}
