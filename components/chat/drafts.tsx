'use client';

import { useAui, useAuiState } from '@assistant-ui/react';
import { useEffect, useRef, useState } from 'react';
import { isTemporary } from '#lib/threads/temporary.ts';
import { useStudio, useThreads } from '../hooks/studio-provider.tsx';
import { UNSTORED_KEY } from './unstored-key.ts';

/** How often a draft is stored, in milliseconds. It is also stored when the page is closed. */
const STORE_EVERY_MS = 300;

const KEY = 'roundtrip-studio:drafts';
const NEW_THREAD = '';

/** Keeps the draft of each thread. Its text survives a reload of this tab. Renders nothing. */
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
  useEffect(() => {
    const draft = drafts.get(selectedId);
    if (shown.current !== selectedId) {
      shown.current = selectedId;
      aui.composer.setText(draft);
      const kept = files.current.get(selectedId) ?? [];
      // Clearing takes a moment, and would take along what is attached meanwhile.
      if (kept.length > 0 || aui.composer.getState().attachments.length > 0)
        void aui.composer.clearAttachments().then(async () => {
          for (const file of kept) await aui.composer.addAttachment(file);
        });
    } else if (draft !== text) drafts.set(selectedId, text);
  }, [aui, drafts, selectedId, text]);
  useEffect(() => {
    const storeAll = () => {
      drafts.store();
      if (threads.unstored.size > 0) keep(UNSTORED_KEY, threads.unstored);
    };
    addEventListener('pagehide', storeAll);
    return () => {
      removeEventListener('pagehide', storeAll);
      // Nothing is left to be stored later, when the studio may be another one.
      drafts.store();
    };
  }, [drafts, threads]);
  useEffect(() => {
    if (sessionStorage.getItem(UNSTORED_KEY) === null) return;
    const setText = (key: string, draft: string) => {
      drafts.set(key, draft);
      if (shown.current === key) aui.composer.setText(draft);
    };
    // Without its code, the next page tries again.
    import('./unstored-texts.ts').then((code) => code.takeUnstored(store, drafts, setText)).catch(() => undefined);
  }, [aui, drafts, store]);
  useEffect(() => {
    const present = attachments.flatMap(({ file }) => file ?? []);
    if (shown.current !== undefined) files.current.set(shown.current, present);
  }, [attachments]);
  return null;
}

/** The texts by thread. They outlive the page in this tab's session storage, except those of temporary threads. */
class Drafts {
  readonly #texts = readTexts();
  #timer: ReturnType<typeof setTimeout> | undefined;

  get(threadId: string): string {
    return this.#texts.get(threadId) ?? '';
  }

  set(threadId: string, text: string): void {
    if (text === '') this.#texts.delete(threadId);
    else this.#texts.set(threadId, text);
    this.#timer ??= setTimeout(() => this.store(), STORE_EVERY_MS);
  }

  store(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    keep(KEY, this.#texts);
  }
}

/** Keeps entries of lasting threads, by the threads' ids, for the page that follows in this tab. */
function keep<Value>(key: string, entries: Iterable<readonly [threadId: string, Value]>): void {
  try {
    sessionStorage.setItem(key, JSON.stringify([...entries].filter(([id]) => !isTemporary(id))));
  } catch {
    // They are too large for the browser to keep. A draft is still in the message box.
  }
}

function readTexts(): Map<string, string> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(KEY) ?? '[]'));
  } catch {
    return new Map();
  }
}
