'use client';

import { ActionBarPrimitive, AuiIf, ComposerPrimitive, useAui, useAuiState } from '@assistant-ui/react';
import { Paperclip, Pencil } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { usePinnedRow } from '#components/hooks/kept-state.ts';
import { useThreads } from '#components/hooks/studio-provider.tsx';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { DIRECTED_BY, directionOf } from '#components/markdown/direction.ts';
import { Button, IconButton } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { ErrorBoundary } from '#components/ui/error-boundary.tsx';
import { lazyView } from '#components/ui/lazy-view.tsx';
import type { FilePart, UserMessage as SentMessage } from '#lib/messages/message.ts';
import { partName } from '#lib/messages/part-name.ts';
import { isTemporary } from '#lib/threads/temporary.ts';
import { BranchPicker } from './branch-picker.tsx';
import { FoldedText } from './folded-text.tsx';
import { useOwnUserMessage } from './own-message.ts';
import { RestoreFiles } from './restore-files.tsx';

const FileViewer = lazyView(() => import('./file-viewer.tsx'));

/**
 * A user message with its attachments. Editing it begins a new branch of the thread, with the edited text as another version
 * of the message.
 */
export function UserMessage() {
  return (
    <>
      <AuiIf condition={({ composer }) => composer.isEditing}>
        <EditComposer />
      </AuiIf>
      <AuiIf condition={({ composer }) => !composer.isEditing}>
        <UserContent />
      </AuiIf>
    </>
  );
}

function UserContent() {
  const t = useAllMessages();
  const { id, parts } = useOwnUserMessage();
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const { view, viewer } = useFileViewer(parts);
  return (
    <>
      <div className="rounded-lg bg-sunken px-3 py-2">
        {parts.map((part, index) =>
          part.type === 'text' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sent message never change
            <FoldedText key={index} name={partName(id, index, part)} text={part.text} />
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sent message never change
            <SentAttachment key={index} part={part} onView={() => view(part)} />
          ),
        )}
      </div>
      {viewer}
      <div className="absolute -top-2 right-0 flex h-8 items-center">
        <div className="flex items-center opacity-0 transition-opacity focus-within:opacity-100 group-hover/message:opacity-100 pointer-coarse:opacity-100">
          <ActionBarPrimitive.Edit asChild>
            <IconButton label={t.messages.edit}>
              <Pencil aria-hidden size={15} />
            </IconButton>
          </ActionBarPrimitive.Edit>
          <RestoreFiles messageId={id} />
          <CopyButton text={() => text} />
        </div>
        <BranchPicker />
      </div>
    </>
  );
}

/** The viewer of a message's files: `view` opens it at one of them, and `viewer` is what it shows. */
function useFileViewer(parts: SentMessage['parts']): { view(part: FilePart): void; viewer: ReactNode } {
  const [viewed, setViewed] = useState<FilePart>();
  if (viewed === undefined) return { view: setViewed, viewer: null };
  const files = parts.filter((part) => part.type === 'file');
  const viewer = (
    <ErrorBoundary>
      <Suspense>
        <FileViewer
          files={files.map(({ filename = '', mediaType, url }) => ({ name: filename, mediaType, url }))}
          first={files.indexOf(viewed)}
          onClose={() => setViewed(undefined)}
        />
      </Suspense>
    </ErrorBoundary>
  );
  return { view: setViewed, viewer };
}

function SentAttachment({ part, onView }: { part: FilePart; onView(): void }) {
  const t = useAllMessages();
  const name = part.filename ?? '';
  const [isBroken, setBroken] = useState(false);
  if (part.mediaType.startsWith('image/') && !isBroken) {
    const alt = t.messages.image(name);
    return (
      <button type="button" data-printed="" onClick={onView} className="my-1 block">
        {/* biome-ignore lint/performance/noImgElement: a data: URL of the message itself; there is nothing to optimize */}
        <img src={part.url} alt={alt} onError={() => setBroken(true)} className="max-h-60 rounded-md" />
      </button>
    );
  }
  return (
    <button
      type="button"
      data-printed=""
      onClick={onView}
      className="my-1 flex w-fit max-w-full items-center gap-1.5 rounded-md border border-line bg-surface px-2 py-1 text-sm hover:bg-hover"
    >
      <Paperclip aria-hidden size={14} className="shrink-0" />
      <span className="sr-only">{t.messages.attachment('')}</span>
      <span className="truncate">{name}</span>
    </button>
  );
}

/**
 * Keeps the text of an edit of a message if the editor is closed by Esc, with its thread, or with the page, and puts it
 * back the next time; not in temporary threads. Returns a function that forgets the text. `id`: the message's id.
 */
function useKeptEdit(id: string): () => void {
  const aui = useAui();
  const text = useAuiState(({ composer }) => composer.text);
  const isDone = useRef(false);
  const isTemporaryThread = useThreads(({ selectedId }) => selectedId !== null && isTemporary(selectedId));
  const [left] = useState(() => readEdit(id));
  const [first] = useState(text);
  useEffect(() => {
    if (!isDone.current && text !== first && !isTemporaryThread) writeEdit(id, text);
  }, [id, text, first, isTemporaryThread]);
  useEffect(() => {
    if (left !== null) aui.composer.setText(left);
  }, [aui, left]);
  return () => {
    isDone.current = true;
    writeEdit(id, null);
  };
}

const editKey = (id: string): string => `roundtrip-studio:edit:${id}`;

function readEdit(id: string): string | null {
  try {
    return sessionStorage.getItem(editKey(id));
  } catch {
    // The browser refuses access, so nothing was kept.
    return null;
  }
}

function writeEdit(id: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(editKey(id));
    else sessionStorage.setItem(editKey(id), text);
  } catch {
    // It is too large for the browser to keep, or it keeps nothing. It is still in its editor.
  }
}

function EditComposer() {
  const t = useAllMessages();
  // The edited text exists only here, so the row stays in the document.
  const { id, parts } = useOwnUserMessage();
  const { view, viewer } = useFileViewer(parts);
  usePinnedRow(id);
  const forget = useKeptEdit(id);
  const root = useRef<HTMLFormElement>(null);
  const direction = useAuiState(({ composer }) => directionOf(composer.text.slice(0, DIRECTED_BY)));
  // The editor closes; the focus stays at its message.
  useEffect(() => {
    const article = root.current?.closest('article');
    return () => {
      if (document.activeElement === document.body) article?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <ComposerPrimitive.Root
      ref={root}
      onSubmit={forget}
      className="rounded-lg border border-line-strong bg-surface p-2"
    >
      <ComposerPrimitive.Input asChild aria-label={t.messages.editLabel} autoFocus unstable_insertNewlineOnTouchEnter>
        <textarea
          dir={direction}
          enterKeyHint="enter"
          rows={1}
          className="field-sizing-content block max-h-[50dvh] w-full resize-none bg-transparent px-1 outline-none not-supports-[field-sizing:content]:min-h-[4lh]"
        />
      </ComposerPrimitive.Input>
      {/* They are sent again. */}
      {parts.map((part, index) =>
        part.type === 'file' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sent message never change
          <SentAttachment key={index} part={part} onView={() => view(part)} />
        ) : null,
      )}
      {viewer}
      <div className="mt-2 flex justify-end gap-2">
        <ComposerPrimitive.Cancel asChild onClick={forget}>
          <Button>{t.common.cancel}</Button>
        </ComposerPrimitive.Cancel>
        <ComposerPrimitive.Send asChild>
          <Button variant="primary">{t.messages.sendEdit}</Button>
        </ComposerPrimitive.Send>
      </div>
    </ComposerPrimitive.Root>
  );
}
