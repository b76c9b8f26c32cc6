'use client';

import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useSettings, useStudio } from '#components/runtime/studio-provider.tsx';
import { useIsDark } from '#components/runtime/theme.ts';
import { keepUnsavedEdits } from '#components/runtime/unsaved-edits.ts';
import { Button } from '#components/ui/button.tsx';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { Document } from './document.ts';
import { DARK_THEME, monaco } from './monaco.ts';
import { openFiles } from './open-files.ts';

/** The documents of the open tabs: they live as long as their tab does, whatever is shown. */
const documents = new Map<string, Document>();

function documentFor(path: string, fileSystem: FileSystem): Document {
  const known = documents.get(path);
  if (known !== undefined) return known;
  const document = new Document(path, fileSystem);
  documents.set(path, document);
  return document;
}

openFiles.subscribe(({ files }) => {
  for (const [path, document] of documents) {
    if (files.some((file) => file.path === path)) continue;
    documents.delete(path);
    void document.close();
  }
});

// A page that goes away between two saves loses nothing: the next one finds what was typed.
addEventListener('pagehide', () => {
  keepUnsavedEdits([...documents.values()].flatMap((open) => open.unsavedEdit() ?? []));
});
addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') for (const open of documents.values()) void open.save();
});

/** Monaco on one workspace file. */
export default function EditorView({ path, onClose }: { path: string; onClose(): void }) {
  const t = useMessages();
  const { fileSystem } = useStudio();
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<monaco.editor.IStandaloneCodeEditor>();
  const views = useRef(new Map<string, monaco.editor.ICodeEditorViewState | null>());
  const isDark = useIsDark(useSettings(({ theme }) => theme));
  const current = documentFor(path, fileSystem);
  const status = useStore(current.state, (state) => state.status);

  useEffect(() => {
    if (host.current === null) return;
    const created = monaco.editor.create(host.current, {
      automaticLayout: true,
      fixedOverflowWidgets: true,
      fontFamily: 'var(--font-mono)',
      fontSize: 13,
      minimap: { enabled: false },
      scrollBeyondLastLine: false,
      tabFocusMode: false,
    });
    setEditor(created);
    return () => created.dispose();
  }, []);
  useEffect(() => monaco.editor.setTheme(isDark ? DARK_THEME : 'vs'), [isDark]);
  useEffect(() => {
    if (editor === undefined) return;
    const seen = views.current;
    editor.setModel(current.model);
    editor.restoreViewState(seen.get(path) ?? null);
    editor.updateOptions({ ariaLabel: t.editor.label(path), readOnly: status === 'binary' });
    return () => {
      seen.set(path, editor.saveViewState());
    };
  }, [editor, current, path, status, t]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key === 's') {
        event.preventDefault();
        void current.save();
      }
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [current]);

  return (
    <div className="flex h-full min-h-0 flex-col">
      <DocumentNotice document={current} onClose={onClose} />
      <div ref={host} className={`min-h-0 flex-1 ${status === 'binary' ? 'invisible' : ''}`} />
    </div>
  );
}

function DocumentNotice({ document: open, onClose }: { document: Document; onClose(): void }) {
  const t = useMessages();
  const { status, problem } = useStore(open.state);
  if (problem !== undefined) {
    return (
      <p role="alert" className="flex items-center gap-2 bg-failed-soft px-3 py-2 text-sm">
        <span className="flex-1">{t.editor.saveFailed(problem)}</span>
        <Button onClick={() => void open.save()}>{t.common.retry}</Button>
      </p>
    );
  }
  if (status === 'binary') return <p className="p-3 text-muted text-sm">{t.editor.binary}</p>;
  if (status === 'gone') {
    return (
      <div role="status" className="flex flex-wrap items-center gap-2 bg-waiting-soft px-3 py-2 text-sm">
        <span className="flex-1">{t.editor.gone}</span>
        <Button onClick={() => void open.writeAgain()}>{t.editor.keepAsNew}</Button>
        <Button onClick={onClose}>{t.common.close}</Button>
      </div>
    );
  }
  if (status !== 'conflict') return null;
  return (
    <div role="alert" className="flex flex-wrap items-center gap-2 bg-waiting-soft px-3 py-2 text-sm">
      <p className="min-w-48 flex-1">
        {t.editor.changedByModel} {t.editor.changedDetail}
      </p>
      <Button onClick={() => void open.keepMine()}>{t.editor.keepMine}</Button>
      <Button onClick={() => void open.takeTheirs()}>{t.editor.useTheirs}</Button>
    </div>
  );
}
