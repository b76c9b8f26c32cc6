'use client';

import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { pressedKeys } from '#components/hooks/shortcuts.ts';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import { fileReason } from '#components/i18n/file-reason.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { useEditorTexts } from '#components/i18n/use-editor-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { hasNothingFocus } from '#components/ui/focus.ts';
import { lazyView } from '#components/ui/lazy-view.tsx';
import type { OpenFile } from '#studio/editing/editor-tabs.ts';
import type { OpenedWorkspace } from '#studio/opened-workspace.ts';
import { BinaryPreview } from './binary-preview.tsx';
import { DiffView } from './diff-view.tsx';
import type { Document } from './document.ts';
import { documentsOf } from './documents.ts';
import { type FormatProblem, formatAndSave } from './format-on-save.ts';
import { HEAVY_LINE_SHOWN } from './heavy-text.ts';
import { monaco } from './monaco.ts';
import { EDITOR_CONTAINER, editorOptions, useEditorSettings, useEditorTheme } from './options.ts';
import { keepTypedCharacters } from './typed-characters.ts';
import { followTypes } from './workspace-types.ts';

const ConflictView = lazyView(() => import('./conflict-view.tsx'));

interface EditorViewProps {
  workspace: OpenedWorkspace;
  file: OpenFile;
  onClose(): void;
}

/** The editor with a file, or with a comparison of two states of it. */
export default function EditorView({ workspace, file, onClose }: EditorViewProps) {
  const { view, path } = file;
  useEditorTheme();
  useEffect(() => {
    followTypes(workspace);
  }, [workspace]);
  if (view.type === 'diff') return <DiffView workspace={workspace} path={path} view={view} />;
  return <FileView workspace={workspace} path={path} onClose={onClose} />;
}

/** The number of characters of each line that are shown. It is Monaco's own default. */
const LINE_SHOWN = 10_000;

/** The cursor, selection, and scroll position with which each document was left. */
const seen = new WeakMap<Document, monaco.editor.ICodeEditorViewState | null>();

/** A workspace file in Monaco, with notices about conflicts, deletions, and failures above. */
function FileView({ workspace, path, onClose }: { workspace: OpenedWorkspace; path: string; onClose(): void }) {
  const t = useAllMessages();
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<monaco.editor.IStandaloneCodeEditor>();
  const { tabs, edits, settings } = useStudio();
  const current = documentsOf({ tabs, edits }).get(workspace, path);
  const status = useStore(current.state, (state) => state.status);
  const [comparing, setComparing] = useState<Document>();
  const isComparing = status === 'conflict' && comparing === current;
  const reveal = useStore(tabs.state, (state) => (state.reveal?.path === path ? state.reveal : undefined));

  useEffect(() => {
    if (host.current === null) return;
    const created = monaco.editor.create(host.current, editorOptions(settings.getState().editor));
    setEditor(created);
    const end = keepTypedCharacters(host.current);
    return () => {
      end();
      // Dispose after the next effect's cleanup, which still reads the user's position from it.
      queueMicrotask(() => created.dispose());
    };
  }, [settings]);
  useEditorSettings(editor);
  useEffect(() => {
    if (editor === undefined) return;
    editor.setModel(current.model);
    editor.restoreViewState(seen.get(current) ?? null);
    return () => {
      seen.set(current, editor.saveViewState());
    };
  }, [editor, current]);
  useEffect(() => {
    editor?.updateOptions({
      ariaLabel: t.editor.label(path),
      readOnly: status === 'binary',
      stopRenderingLineAfter: current.isHeavy ? HEAVY_LINE_SHOWN : LINE_SHOWN,
    });
  }, [editor, current, path, status, t]);
  useEffect(() => {
    if (editor === undefined || reveal === undefined || status === 'loading') return;
    if (reveal.place !== 'here') {
      const { line, column = 1, length = 0 } = reveal.place;
      editor.setSelection(new monaco.Range(line, column, line, column + length));
      editor.revealLineInCenter(line);
    }
    if (!reveal.isLate) editor.focus();
    tabs.revealed();
  }, [editor, reveal, status, tabs]);
  // The button that ended the conflict or the comparison is gone.
  const isWaiting = useRef(false);
  useEffect(() => {
    if (isWaiting.current && !isComparing && hasNothingFocus()) editor?.focus();
    isWaiting.current = status === 'conflict';
  }, [editor, status, isComparing]);
  const [unformatted, setUnformatted] = useState<{ document: Document; problem: FormatProblem }>();
  const save = useCallback(async () => {
    setUnformatted(undefined);
    const format = settings.getState().editor.formatsOnSave ? formatterOf(editor, current) : undefined;
    const cancel = () => editor?.trigger('save', 'editor.cancelOperation', undefined);
    const problem = await formatAndSave({ format, cancel, save: () => current.save() });
    if (problem !== undefined) setUnformatted({ document: current, problem });
  }, [current, editor, settings]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (pressedKeys(event)?.join('+') === 'Mod+S') {
        event.preventDefault();
        void save();
      }
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [save]);

  return (
    <div className="flex h-full min-h-0 flex-col">
      <DocumentNotice
        document={current}
        onClose={onClose}
        onCompare={isComparing ? undefined : () => setComparing(current)}
      />
      {unformatted?.document === current && status === 'ready' ? (
        <FormatNotice problem={unformatted.problem} onClose={() => setUnformatted(undefined)} />
      ) : null}
      {status === 'binary' ? <BinaryPreview workspace={workspace} path={path} /> : null}
      {isComparing ? (
        <Suspense>
          <ConflictView key={`${workspace.id}:${path}`} document={current} onClose={() => setComparing(undefined)} />
        </Suspense>
      ) : null}
      <div
        ref={host}
        className={`${EDITOR_CONTAINER} min-h-0 flex-1`}
        hidden={status === 'binary' || status === 'binary-gone' || isComparing}
      />
    </div>
  );
}

/**
 * Returns a function that formats a document with Monaco's formatter; undefined if its language has none, or the document
 * waits for the user. Monaco drops the result if the text or the cursor has changed before it arrives.
 */
function formatterOf(
  editor: monaco.editor.IStandaloneCodeEditor | undefined,
  open: Document,
): (() => Promise<void>) | undefined {
  if (editor?.getModel() !== open.model || open.state.getState().status !== 'ready') return undefined;
  const action = editor.getAction('editor.action.formatDocument');
  return action?.isSupported() ? () => action.run() : undefined;
}

/** Says that a file was saved, but not formatted. */
function FormatNotice({ problem, onClose }: { problem: FormatProblem; onClose(): void }) {
  const t = useAllMessages();
  const texts = useEditorTexts();
  const reason = problem.type === 'late' ? texts.formatterLate : texts.formatterFailed(problem.detail);
  return (
    <div role="status" className="flex shrink-0 items-center gap-2 bg-waiting-soft px-3 py-2 text-sm">
      <span className="min-w-0 flex-1 break-words">{texts.notFormatted(reason)}</span>
      <Button onClick={onClose}>{t.common.close}</Button>
    </div>
  );
}

/** Says above the editor that the file has two versions, and offers to keep either one or to compare them. */
function ConflictBar({ document: open, onCompare }: { document: Document; onCompare(): void }) {
  const t = useAllMessages();
  const theirs = useStore(open.state, ({ conflict }) => conflict?.theirs);
  return (
    <div role="alert" className="flex shrink-0 flex-wrap items-center gap-2 bg-waiting-soft px-3 py-2 text-sm">
      <p className="min-w-48 flex-1">
        {t.editor.changedByModel} {t.editor.nothingLost}
      </p>
      <Button onClick={() => void open.resolve(open.model.getValue())}>{t.editor.keepMine}</Button>
      {theirs === undefined ? null : <Button onClick={() => void open.resolve(theirs)}>{t.editor.useTheirs}</Button>}
      <Button variant="primary" onClick={onCompare}>
        {t.editor.compare}
      </Button>
    </div>
  );
}

interface DocumentNoticeProps {
  document: Document;
  onClose(): void;
  /** Shows both versions of a conflict; undefined while they are shown already. */
  onCompare: (() => void) | undefined;
}

function DocumentNotice({ document: open, onClose, onCompare }: DocumentNoticeProps) {
  const t = useAllMessages();
  const { status, problem } = useStore(open.state);
  if (problem !== undefined) {
    return (
      <p role="alert" className="flex items-center gap-2 bg-failed-soft px-3 py-2 text-sm">
        <span className="flex-1">{t.editor.saveFailed(fileReason(problem, t))}</span>
        <Button onClick={() => void open.save()}>{t.common.retry}</Button>
      </p>
    );
  }
  if (status === 'conflict') return onCompare && <ConflictBar document={open} onCompare={onCompare} />;
  if (status !== 'gone' && status !== 'binary-gone') return null;
  return (
    <div role="status" className="flex flex-wrap items-center gap-2 bg-waiting-soft px-3 py-2 text-sm">
      <span className="flex-1">{t.editor.gone}</span>
      {status === 'gone' ? <Button onClick={() => void open.writeAgain()}>{t.editor.keepAsNew}</Button> : null}
      <Button onClick={onClose}>{t.common.close}</Button>
    </div>
  );
}
