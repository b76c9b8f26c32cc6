'use client';

import { merge } from 'node-diff3';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Button } from '#components/ui/button.tsx';
import { hasNothingFocus } from '#components/ui/focus.ts';
import { DiffEditor } from './diff-view.tsx';
import type { Document } from './document.ts';
import { monaco } from './monaco.ts';
import { EDITOR_CONTAINER, editorOptions, monacoLanguageOf, useEditorSettings } from './options.ts';

/**
 * A file that was changed elsewhere while it had unsaved edits: the user's version, the other version, and a merge of
 * both with markers where they overlap. Nothing is written until the user has chosen.
 */
export default function ConflictView({ document: open, onClose }: { document: Document; onClose(): void }) {
  const t = useAllMessages();
  const conflict = useStore(open.state, (state) => state.conflict);
  const [mine] = useState(() => open.model.getValue());
  const [text, setText] = useState(mine);
  /** The last merge, and the version from elsewhere that it includes. */
  const [merged, setMerged] = useState({ text: mine, theirs: conflict?.base ?? '' });
  const latest = useRef(mine);
  const change = useCallback((next: string) => {
    latest.current = next;
    setText(next);
  }, []);
  useEffect(() => {
    if (conflict === undefined || merged.theirs === conflict.theirs) return;
    // Merges changes that have arrived since the user began into the merge as the user has edited it.
    const labels = { a: t.editor.yours, b: t.editor.theirs };
    const { result } = merge(lines(latest.current), lines(merged.theirs), lines(conflict.theirs), { label: labels });
    setMerged({ text: result.join(open.model.getEOL()), theirs: conflict.theirs });
  }, [conflict, merged, open, t]);
  if (conflict === undefined) return null;
  const isOpen = hasMarkers(text, [t.editor.yours, t.editor.theirs]);
  const { path } = open;
  return (
    <section
      aria-label={t.editor.conflictTitle}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
      className="@container flex min-h-0 flex-1 flex-col"
    >
      <div role="alert" className="flex shrink-0 flex-wrap items-center gap-2 bg-waiting-soft px-3 py-2 text-sm">
        <p className="min-w-48 flex-1">{t.editor.changedDetail}</p>
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button onClick={() => void open.resolve(mine)}>{t.editor.keepMine}</Button>
        <Button onClick={() => void open.resolve(conflict.theirs)}>{t.editor.useTheirs}</Button>
        <Button variant="primary" disabled={isOpen} onClick={() => void open.resolve(text)}>
          {t.editor.saveMerged}
        </Button>
      </div>
      <div className="flex min-h-0 flex-2 @2xl:flex-1 flex-col @2xl:flex-row">
        <Side title={t.editor.yours}>
          <DiffEditor inline before={conflict.base} after={mine} path={path} label={t.editor.yours} />
        </Side>
        <Side title={t.editor.theirs}>
          <DiffEditor inline before={conflict.base} after={conflict.theirs} path={path} label={t.editor.theirs} />
        </Side>
      </div>
      <Side title={isOpen ? t.editor.mergedOpen : t.editor.merged}>
        <MergeEditor text={merged.text} path={path} label={t.editor.merged} onChange={change} />
      </Side>
    </section>
  );
}

/** Checks whether a text has conflict markers with these labels. */
const hasMarkers = (text: string, [mine, theirs]: readonly [string, string]): boolean =>
  lines(text).some((line) => line === `<<<<<<< ${mine}` || line === `>>>>>>> ${theirs}`);

const lines = (text: string): string[] => text.split(/\r\n|\r|\n/);

function Side({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col border-line border-t border-r last:border-r-0">
      <h3 className="shrink-0 bg-sunken px-3 py-1 text-muted text-xs">{title}</h3>
      {children}
    </div>
  );
}

interface MergeEditorProps {
  text: string;
  path: string;
  label: string;
  onChange(text: string): void;
}

function MergeEditor({ text, path, label, onChange }: MergeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<monaco.editor.IStandaloneCodeEditor>();
  const { settings } = useStudio();
  useEditorSettings(shown);
  useEffect(() => {
    if (host.current === null) return;
    const model = monaco.editor.createModel(text, monacoLanguageOf(path));
    const editor = monaco.editor.create(host.current, {
      ...editorOptions(settings.getState().editor),
      model,
      ariaLabel: label,
    });
    setShown(editor);
    onChange(text);
    // The button that opened this view is gone.
    if (hasNothingFocus()) editor.focus();
    const changes = model.onDidChangeContent(() => onChange(model.getValue()));
    return () => {
      changes.dispose();
      setShown(undefined);
      editor.dispose();
      model.dispose();
    };
  }, [text, path, label, onChange, settings]);
  return <div ref={host} className={`${EDITOR_CONTAINER} min-h-0 flex-1`} />;
}
