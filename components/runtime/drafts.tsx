'use client';

import { useAui, useAuiState } from '@assistant-ui/react';
import { useEffect, useRef } from 'react';
import { useThreads } from './studio-provider.tsx';

const KEY = 'roundtrip-studio:drafts';
const NEW_THREAD = '';

/** Keeps the message that is being written in each thread: its text over a reload of this tab too. Shows nothing. */
export function DraftKeeper() {
  const aui = useAui();
  const selectedId = useThreads((state) => state.selectedId) ?? NEW_THREAD;
  const text = useAuiState((state) => state.composer.text);
  const shown = useRef<string>(undefined);
  const attachments = useAuiState((state) => state.composer.attachments);
  const files = useRef(new Map<string, readonly File[]>());
  useEffect(() => {
    const drafts = readDrafts();
    const draft = drafts.get(selectedId) ?? '';
    if (shown.current !== selectedId) {
      shown.current = selectedId;
      aui.composer.setText(draft);
      const kept = files.current.get(selectedId) ?? [];
      void aui.composer.clearAttachments().then(async () => {
        for (const file of kept) await aui.composer.addAttachment(file);
      });
    } else if (draft !== text) {
      if (text === '') drafts.delete(selectedId);
      else drafts.set(selectedId, text);
      writeDrafts(drafts);
    }
  }, [aui, selectedId, text]);
  useEffect(() => {
    const present = attachments.flatMap(({ file }) => file ?? []);
    if (shown.current !== undefined) files.current.set(shown.current, present);
  }, [attachments]);
  return null;
}

function readDrafts(): Map<string, string> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(KEY) ?? '[]'));
  } catch {
    return new Map();
  }
}

function writeDrafts(drafts: ReadonlyMap<string, string>): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...drafts]));
  } catch {
    // A draft larger than the browser keeps is not kept; it is still in the message box.
  }
}
