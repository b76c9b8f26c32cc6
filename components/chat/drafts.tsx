'use client';

import { useAui, useAuiState } from '@assistant-ui/react';
import { useEffect, useRef, useState } from 'react';
import { isTemporary } from '#lib/threads/temporary.ts';
import type { UnstoredMessage } from '#studio/unstored-messages.ts';
import { useStudio, useThreads } from '../hooks/studio-provider.tsx';
import { messageText } from './list/message-text.ts';

/** How often a draft is stored, in milliseconds. It is also stored when the page is closed. */
const STORE_EVERY_MS = 300;

const KEY = 'roundtrip-studio:drafts';
const UNSTORED_KEY = 'roundtrip-studio:unstored';
const NEW_THREAD = '';

/** Keeps the draft of each thread. Its text survives a reload of this tab. Renders nothing. */
export function DraftKeeper() {
  const aui = useAui();
  const selectedId = useThreads(
    ({ selectedId: id, draftWorkspaceId: place }) => id ?? (place !== null && isTemporary(place) ? place : NEW_THREAD),
  );
  const text = useAuiState((state) => state.composer.text);
  const shown = useRef<string>(undefined);
  const { threads } = useStudio();
  const [drafts] = useState(() => new Drafts());
  const attachments = useAuiState((state) => state.composer.attachments);
  const files = useRef(new Map<string, readonly File[]>());
  useEffect(() => {
    const draft = drafts.get(selectedId);
    if (shown.current !== selectedId) {
      shown.current = selectedId;
      aui.composer.setText(draft);
      const kept = files.current.get(selectedId) ?? [];
      void aui.composer.clearAttachments().then(async () => {
        for (const file of kept) await aui.composer.addAttachment(file);
      });
    } else if (draft !== text) drafts.set(selectedId, text);
  }, [aui, drafts, selectedId, text]);
  useEffect(() => {
    const store = () => drafts.store();
    const storeAll = () => {
      drafts.store();
      storeUnstored(threads.unstored.list());
    };
    addEventListener('pagehide', storeAll);
    return () => {
      removeEventListener('pagehide', storeAll);
      // Nothing is left to be stored later, when the studio may be another one.
      store();
    };
  }, [drafts, threads]);
  useEffect(() => {
    const unstored = readUnstored();
    const checks = unstored.map(async ({ key, threadId, messageId, text: sent }) => {
      if (await threads.unstored.isStored(threadId, messageId).catch(() => false)) return;
      const isShown = shown.current === key;
      const since = isShown ? aui.composer.getState().text : drafts.get(key);
      const whole = since === '' ? sent : `${sent}\n${since}`;
      drafts.set(key, whole);
      if (isShown) aui.composer.setText(whole);
    });
    // Not before, as this page may be closed as well.
    if (unstored.length > 0) void Promise.all(checks).then(() => sessionStorage.removeItem(UNSTORED_KEY));
  }, [aui, drafts, threads]);
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
    try {
      sessionStorage.setItem(KEY, JSON.stringify([...this.#texts].filter(([id]) => !isTemporary(id))));
    } catch {
      // The draft is too large for the browser to store. It is still in the message box.
    }
  }
}

/** A message that was sent just before the page was closed. `key`: of the draft that it was. */
interface Unstored {
  key: string;
  threadId: string;
  messageId: string;
  text: string;
}

/** Keeps the texts of messages that may not be stored any more, for the page that follows in this tab. */
function storeUnstored(messages: readonly UnstoredMessage[]): void {
  const unstored = messages
    .filter(({ threadId }) => !isTemporary(threadId))
    .map(
      ({ threadId, isFirst, message }): Unstored => ({
        key: isFirst ? NEW_THREAD : threadId,
        ...{ threadId, messageId: message.id, text: messageText(message) },
      }),
    );
  if (unstored.length === 0) return;
  try {
    sessionStorage.setItem(UNSTORED_KEY, JSON.stringify(unstored));
  } catch {
    // It is too large for the browser to keep.
  }
}

function readUnstored(): Unstored[] {
  try {
    return JSON.parse(sessionStorage.getItem(UNSTORED_KEY) ?? '[]');
  } catch {
    return [];
  }
}

function readTexts(): Map<string, string> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(KEY) ?? '[]'));
  } catch {
    return new Map();
  }
}
