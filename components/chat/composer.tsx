'use client';

import { ComposerPrimitive, useAui, useAuiState, useThreadViewport } from '@assistant-ui/react';
import { ArrowUp, Paperclip, Square } from 'lucide-react';
import { type ChangeEvent, type ClipboardEvent, type KeyboardEvent, Suspense, useRef, useState } from 'react';
import { COMPOSER_ID } from '#components/hooks/composer-id.ts';
import { useSession, useSettings, useThreads } from '#components/hooks/studio-provider.tsx';
import { useWasIdle } from '#components/hooks/when-idle.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { ErrorBoundary } from '#components/ui/error-boundary.tsx';
import { focusComposer } from '#components/ui/focus.ts';
import { lazyView } from '#components/ui/lazy-view.tsx';
import { PASTED_MAX } from '#studio/settings.ts';
import type { AttachmentError, RefusedFile } from './attached-file.ts';
import type { WantedContent } from './completions.tsx';
import { ToolsButton } from './tools-button.tsx';

const CompletionsView = lazyView(() => import('./completions.tsx'));
const AttachmentChips = lazyView(() => import('./attachment-chips.tsx'));
const DroppedFiles = lazyView(() => import('./dropped-files.tsx'));
const RefusedFiles = lazyView(() => import('./refused-files.tsx'));
const ServerContent = lazyView(() => import('#components/sources/servers/server-content.tsx'));
const WorkspacePrompt = lazyView(() => import('#components/project/workspace-prompt.tsx'));

/** The form in which the user writes a message: text, attachments, and the thread's model and tools. */
export function Composer() {
  const t = useMessages();
  const session = useThreads((state) => state.session);
  const busy = useSession(session, (snapshot) => snapshot.busy) ?? false;
  // The same check by which the text box decides what Enter does.
  const [isTouch] = useState(() => matchMedia('(pointer: coarse) and (not (any-pointer: fine))').matches);
  const { addFiles, refused, clearRefused } = useAttachments();
  const [isDragging, setDragging] = useState(false);
  const wasIdle = useWasIdle();
  const longPaste = useSettings((state) => state.longPaste);
  const { all: wanted, want, done } = useWantedContent();
  const aui = useAui();

  const scrollToBottom = useThreadViewport((viewport) => viewport.scrollToBottom);
  const hasFiles = useAuiState(({ composer }) => composer.attachments.length > 0);
  const isWriting = useAuiState(({ composer }) => composer.text !== '') || hasFiles;
  const addText = async (text: string) => {
    // If this code cannot be loaded, the text is put at the end.
    const typing = await import('./type-in-composer.ts').catch(() => undefined);
    const { composer } = aui;
    if (typing === undefined) composer.setText(composer.getState().text + text);
    else typing.addToComposer(composer, text);
    focusComposer();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const isCompleting = event.currentTarget.hasAttribute('aria-controls');
    // Also where Enter makes a new line.
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !isCompleting) {
      event.preventDefault();
      event.currentTarget.form?.requestSubmit();
    }
    if (event.key === 'Escape' && busy && !isCompleting) {
      event.preventDefault();
      void session?.stop();
    }
  };
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const { clipboardData, currentTarget: field } = event;
    const [html, text] = [clipboardData.getData('text/html'), clipboardData.getData('text/plain')];
    const files = [...clipboardData.files];
    // Browsers take too long for each key in a text that is longer.
    const attachFrom = Math.min(longPaste, Math.max(PASTED_MAX - field.value.length, 1_000));
    // The browser does the rest by itself.
    if (files.length === 0 && html === '' && text.length < attachFrom) return;
    event.preventDefault();
    void import('#studio/pasted.ts')
      .then(({ readPaste }) => readPaste({ files, html, text }, attachFrom))
      // If the code that reads what was pasted cannot be loaded, only files are taken, or the text if there are none.
      .catch(() => ({ files, text: files.length === 0 ? text : '' }))
      .then((pasted) => {
        if (pasted.files.length > 0) addFiles([...pasted.files]);
        field.focus();
        // Unlike a change of the field's value, this can be undone.
        if (pasted.text !== '') document.execCommand('insertText', false, pasted.text);
      });
  };
  return (
    <ComposerPrimitive.Unstable_TriggerPopoverRoot>
      <ErrorBoundary>
        <Suspense>{isWriting ? <CompletionsView onWanted={want} /> : null}</Suspense>
        <Suspense>{wasIdle ? <DroppedFiles onFiles={addFiles} onDragging={setDragging} /> : null}</Suspense>
      </ErrorBoundary>
      <div
        data-dragging={isDragging || undefined}
        className="rounded-lg border border-line-strong/60 bg-surface p-2 focus-within:border-accent data-dragging:border-accent data-dragging:bg-accent-soft"
      >
        {/* Not in the form: a dialog has one of its own. */}
        <ErrorBoundary>
          <Suspense>
            {wanted.map(({ id, content }) => {
              const shared = { onText: addText, onClose: () => done(id) };
              return content.type === 'prompt-file' ? (
                <WorkspacePrompt key={id} wanted={content} {...shared} />
              ) : (
                <ServerContent key={id} wanted={content} onFiles={addFiles} {...shared} />
              );
            })}
          </Suspense>
        </ErrorBoundary>
        {/* The sent message and its answer should be visible, no matter where the user was reading. */}
        <ComposerPrimitive.Root
          className="flex max-h-[60dvh] flex-col"
          onSubmit={() => {
            // The button goes once the answer begins.
            if (document.activeElement?.matches('button:focus-visible')) focusComposer();
            clearRefused();
            scrollToBottom();
          }}
        >
          <ErrorBoundary>
            <Suspense>{hasFiles ? <AttachmentChips onText={addText} /> : null}</Suspense>
            <Suspense>{refused.length === 0 ? null : <RefusedFiles files={refused} onClose={clearRefused} />}</Suspense>
          </ErrorBoundary>
          {/* Sized by the browser: a script that measures it on every key takes seconds for a long text. */}
          <ComposerPrimitive.Input
            asChild
            id={COMPOSER_ID}
            aria-label={t.composer.label}
            cancelOnEscape={false}
            addAttachmentOnPaste={false}
            unstable_focusOnRunStart={false}
            unstable_focusOnScrollToBottom={false}
            unstable_focusOnThreadSwitched={false}
            unstable_insertNewlineOnTouchEnter
            onKeyDown={onKeyDown}
            onPaste={onPaste}
          >
            <textarea
              // It stays a text box, even if it has a list of completions.
              aria-expanded={undefined}
              placeholder={t.composer.placeholder}
              aria-description={isTouch ? undefined : t.composer.hint}
              // A keyboard on the screen has no Shift+Enter, so Enter makes a new line.
              enterKeyHint="enter"
              rows={1}
              className="field-sizing-content block min-h-[calc(1lh+0.5rem)] max-h-[max(2lh,min(14lh+0.5rem,100dvh-16rem))] w-full resize-none bg-transparent px-1 py-1 outline-none not-supports-[field-sizing:content]:min-h-[4lh] placeholder:text-muted"
            />
          </ComposerPrimitive.Input>
          <div className="mt-1 flex items-center gap-1">
            <AttachButton onFiles={addFiles} />
            <ToolsButton />
            <span className="ml-auto flex gap-1">
              {busy ? (
                <IconButton
                  label={t.composer.stop}
                  className="border border-line-strong/60"
                  onClick={() => {
                    void session?.stop();
                    focusComposer();
                  }}
                >
                  <Square aria-hidden size={13} fill="currentColor" />
                </IconButton>
              ) : null}
              <ComposerPrimitive.Send asChild>
                <IconButton label={t.composer.send} tone="primary">
                  <ArrowUp aria-hidden size={16} />
                </IconButton>
              </ComposerPrimitive.Send>
            </span>
          </div>
        </ComposerPrimitive.Root>
      </div>
    </ComposerPrimitive.Unstable_TriggerPopoverRoot>
  );
}

function AttachButton({ onFiles }: { onFiles(files: File[]): void }) {
  const t = useMessages();
  const input = useRef<HTMLInputElement>(null);
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    onFiles([...(event.target.files ?? [])]);
    event.target.value = '';
  };
  return (
    <>
      <input ref={input} type="file" multiple hidden onChange={onChange} />
      <IconButton label={t.composer.attach} onClick={() => input.current?.click()}>
        <Paperclip aria-hidden size={16} />
      </IconButton>
    </>
  );
}

function useAttachments() {
  const aui = useAui();
  const selectedId = useThreads((state) => state.selectedId);
  const [refused, setRefused] = useState<readonly (RefusedFile & { threadId: string | null })[]>([]);
  const clearRefused = () => setRefused([]);
  const addFiles = (files: File[]) => {
    clearRefused();
    for (const file of files) {
      aui.composer.addAttachment(file).catch((error: unknown) => {
        const { code = 'unreadable' } = error as Partial<AttachmentError>;
        setRefused((before) => [...before, { name: file.name, code, threadId: selectedId }]);
      });
    }
  };
  // Files that could not be attached in one thread are of no interest in another.
  return { addFiles, refused: refused.filter(({ threadId }) => threadId === selectedId), clearRefused };
}

/**
 * Keeps the content that the person has chosen for the open thread's message and that still has to be fetched or filled in.
 * `want` adds content, and `done` removes it by its id. Content chosen in another thread is not returned.
 */
function useWantedContent() {
  const selectedId = useThreads((state) => state.selectedId);
  const [wanted, setWanted] = useState<readonly { id: string; threadId: string | null; content: WantedContent }[]>([]);
  const all = wanted.filter(({ threadId }) => threadId === selectedId);
  const want = (content: WantedContent) =>
    // Content that was requested in another thread is no longer wanted.
    setWanted([...all, { id: crypto.randomUUID(), threadId: selectedId, content }]);
  const done = (id: string) => setWanted((known) => known.filter((one) => one.id !== id));
  return { all, want, done };
}
