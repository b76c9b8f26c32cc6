'use client';

import { useAui, useAuiState } from '@assistant-ui/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { TAB_NAME_KEY } from '#lib/threads/draft-files-key.ts';
import { isTemporary } from '#lib/threads/temporary.ts';
import { useStudio, useThreads } from '../hooks/studio-provider.tsx';
import { DRAFTS_KEY, UNSTORED_KEY } from './kept-keys.ts';

/** The interval between two saves of a draft, in milliseconds. A draft is also saved when the page is closed. */
const STORE_EVERY_MS = 300;

const NEW_THREAD = '';

const loadKept = () => import('./kept-files.ts');

/**
 * Gives each thread a draft of its own: fills the message box with a thread's text and files when it is opened, and stores
 * them, so that they survive a reload and the end of this tab, except those of temporary threads. Renders nothing.
 */
export function DraftKeeper() {
  const aui = useAui();
  const selectedId = useThreads(
    ({ selectedId: id, draftWorkspaceId: place }) => id ?? (place !== null && isTemporary(place) ? place : NEW_THREAD),
  );
  const text = useAuiState((state) => state.composer.text);
  const shown = useRef<string>(undefined);
  const { threads, store } = useStudio();
  const [drafts] = useState(() => new Drafts());
  const attachments = useAuiState((state) => state.composer.attachments);
  const files = useRef(new Map<string, readonly File[]>());
  /**
   * The thread whose stored files are being attached again, one after the other. Until all are, `recordFiles` does not
   * record which files are attached.
   */
  const filling = useRef<string>(undefined);
  /** Whether closed tabs have left drafts in the local storage. */
  const [wasClosed] = useState(() => isKept(() => localStorage, DRAFTS_KEY));
  /** Whether this tab has had a draft, or takes over those of closed tabs. Only then is the code loaded that shares drafts. */
  const [isUsed, setUsed] = useState(() => wasClosed || drafts.entries().length > 0);
  if (!isUsed && (text !== '' || attachments.length > 0)) setUsed(true);
  const setText = useCallback(
    (key: string, draft: string) => {
      drafts.set(key, draft);
      if (shown.current === key) aui.composer.setText(draft);
    },
    [aui, drafts],
  );
  const recordFiles = useCallback(() => {
    const place = shown.current;
    if (place === undefined || filling.current === place) return;
    const present = aui.composer.getState().attachments.flatMap(({ file }) => file ?? []);
    if (present.length === 0 && !files.current.get(place)?.length) return;
    files.current.set(place, present);
    // Where nothing can be stored, files last as long as the page.
    if (!isTemporary(place))
      void loadKept()
        .then((code) => code.keepFiles(place, present))
        .catch(() => undefined);
  }, [aui]);
  const fill = useCallback(
    async (kept: readonly File[], isShown: () => boolean) => {
      // If a file cannot be attached, the composer says so, and the other files are still attached.
      for (const file of kept) if (isShown()) await aui.composer.addAttachment(file).catch(() => undefined);
      if (!isShown()) return;
      filling.current = undefined;
      recordFiles();
    },
    [aui, recordFiles],
  );
  useEffect(() => {
    const draft = drafts.get(selectedId);
    if (shown.current !== selectedId) {
      shown.current = selectedId;
      aui.composer.setText(draft);
      const kept = files.current.get(selectedId) ?? [];
      const isShown = () => shown.current === selectedId;
      // Clearing takes a moment, so files are attached only after it: it would remove them, too.
      if (kept.length > 0 || aui.composer.getState().attachments.length > 0) {
        filling.current = selectedId;
        void aui.composer.clearAttachments().then(() => fill(kept, isShown));
      } else filling.current = undefined;
    } else if (draft !== text) drafts.set(selectedId, text);
  }, [aui, drafts, fill, selectedId, text]);
  useEffect(() => {
    const storeAll = () => {
      drafts.store();
      if (threads.unstored.size > 0) keep(UNSTORED_KEY, threads.unstored);
    };
    addEventListener('pagehide', storeAll);
    return () => {
      removeEventListener('pagehide', storeAll);
      // Stored now and not by the timer, because another studio may be open by then.
      drafts.store();
    };
  }, [drafts, threads]);
  useEffect(() => {
    if (!isKept(() => sessionStorage, UNSTORED_KEY)) return;
    // If the code cannot be loaded, the next page tries again.
    import('./unstored-texts.ts').then((code) => code.takeUnstored(store, drafts, setText)).catch(() => undefined);
  }, [drafts, setText, store]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is attached is what changes
  useEffect(recordFiles, [attachments, recordFiles]);
  useEffect(() => {
    if (!isUsed) return;
    const ended = new AbortController();
    // If the code cannot be loaded, drafts last as long as their tab.
    void import('./lasting-drafts.ts')
      .then(
        ({ shareDrafts }) =>
          ended.signal.aborted || shareDrafts({ texts: drafts, files: files.current }, setText, ended.signal),
      )
      .catch(() => undefined);
    return () => ended.abort();
  }, [drafts, isUsed, setText]);
  useEffect(() => {
    if (!wasClosed && !isKept(() => sessionStorage, TAB_NAME_KEY)) return;
    const attach = async (place: string, kept: readonly File[]) => {
      if (shown.current === place) {
        filling.current = place;
        await fill(kept, () => shown.current === place);
      } else files.current.set(place, [...kept, ...(files.current.get(place) ?? [])]);
    };
    void loadKept()
      .then((code) => code.restoreDraftFiles(wasClosed, attach))
      // They stay stored, and the next page tries again.
      .catch(() => undefined);
  }, [fill, wasClosed]);
  return null;
}

/** The draft texts by thread. They outlive the page in this tab's session storage, except those of temporary threads. */
class Drafts {
  readonly #texts = readTexts();
  #timer: ReturnType<typeof setTimeout> | undefined;

  get(threadId: string): string {
    return this.#texts.get(threadId) ?? '';
  }

  entries(): (readonly [threadId: string, text: string])[] {
    return [...this.#texts].filter(([id]) => !isTemporary(id));
  }

  set(threadId: string, text: string): void {
    if (text === '') this.#texts.delete(threadId);
    else this.#texts.set(threadId, text);
    this.#timer ??= setTimeout(() => this.store(), STORE_EVERY_MS);
  }

  store(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    keep(DRAFTS_KEY, this.#texts);
  }
}

/** Checks whether a storage of the browser has a key. False if the browser has no storage or refuses access. */
function isKept(storage: () => Storage, key: string): boolean {
  try {
    return storage().getItem(key) !== null;
  } catch {
    return false;
  }
}

/** Stores entries in the session storage, for the next page of this tab, except those of temporary threads. Never throws. */
function keep<Value>(key: string, entries: Iterable<readonly [threadId: string, Value]>): void {
  try {
    sessionStorage.setItem(key, JSON.stringify([...entries].filter(([id]) => !isTemporary(id))));
  } catch {
    // The entries are too large for the browser to keep, or it refuses access. A draft is still in the message box.
  }
}

function readTexts(): Map<string, string> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(DRAFTS_KEY) ?? '[]'));
  } catch {
    // The browser refuses access, or the stored data is not from the studio.
    return new Map();
  }
}
