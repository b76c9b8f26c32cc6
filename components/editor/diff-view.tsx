'use client';

import { useEffect, useRef, useState } from 'react';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Button } from '#components/ui/button.tsx';
import { messageOf } from '#lib/base/message-of.ts';
import type { OpenView } from '#studio/editing/editor-tabs.ts';
import type { OpenedWorkspace } from '#studio/opened-workspace.ts';
import { monaco } from './monaco.ts';
import { EDITOR_CONTAINER, editorOptions, keepNames, monacoLanguageOf, useDiffSettings } from './options.ts';
import { showDiff } from './show-diff.ts';
import { comparedText } from './text-content.ts';

interface DiffViewProps {
  workspace: OpenedWorkspace;
  path: string;
  view: Extract<OpenView, { type: 'diff' }>;
}

type Compared = { before: string; after: string } | 'binary' | { problem: string };

/** The changes of a file between two states. If the newer one is the current file, the view follows the file. */
export function DiffView({ workspace, path, view }: DiffViewProps) {
  const t = useAllMessages();
  const [compared, setCompared] = useState<Compared>();
  useEffect(() => {
    let isCurrent = true;
    const show = (next: Compared) => {
      if (isCurrent) setCompared(next);
    };
    const read = async () => {
      try {
        const [before, after] = await Promise.all([
          comparedText(workspace, path, view.before),
          comparedText(workspace, path, view.after),
        ]);
        show(before === undefined || after === undefined ? 'binary' : { before, after });
      } catch (error) {
        show({ problem: messageOf(error) });
      }
    };
    void read();
    const unwatch = workspace.fileSystem.watch((changes) => {
      if (view.after === 'current' && changes.some((change) => change.path === path)) void read();
    });
    return () => {
      isCurrent = false;
      unwatch();
    };
  }, [workspace, path, view]);
  const { tabs } = useStudio();
  return (
    <div className="flex h-full min-h-0 flex-col">
      <p className="flex shrink-0 items-center gap-2 border-line border-b px-3 py-1 text-muted text-xs">
        <span className="min-w-0 flex-1 truncate">{view.label}</span>
        <Button onClick={() => tabs.open(path, 'here')}>{t.editor.openCurrent}</Button>
      </p>
      {compared === 'binary' ? <p className="p-3 text-muted text-sm">{t.editor.binaryDiff}</p> : null}
      {typeof compared === 'object' && 'problem' in compared ? (
        <p role="alert" className="p-3 text-failed text-sm">
          {compared.problem}
        </p>
      ) : null}
      {typeof compared === 'object' && 'before' in compared ? (
        <DiffEditor {...compared} path={path} label={t.editor.diffLabel(path)} />
      ) : null}
    </div>
  );
}

interface DiffEditorProps {
  before: string;
  after: string;
  path: string;
  label: string;
  /** Whether both texts are in one column, regardless of the width. */
  inline?: boolean;
}

/**
 * The differences between two texts, side by side if there is room, unless `inline`. `path`: the path of the file, which
 * decides its language. `label`: the accessible name of both sides.
 */
export function DiffEditor({ before, after, path, label, inline = false }: DiffEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<monaco.editor.IStandaloneDiffEditor>();
  const { settings } = useStudio();
  const names = useDiffSettings(editor, { original: label, modified: label });
  useEffect(() => {
    if (host.current === null) return;
    const created = monaco.editor.createDiffEditor(host.current, {
      ...editorOptions(settings.getState().editor),
      readOnly: true,
      originalEditable: false,
      renderSideBySide: !inline,
      useInlineViewWhenSpaceIsLimited: true,
      hideUnchangedRegions: { enabled: true },
      renderOverviewRuler: false,
    });
    keepNames(created, names);
    setEditor(created);
    // Its models are disposed of first, by the next effect.
    return () => queueMicrotask(() => created.dispose());
  }, [inline, settings, names]);
  useEffect(() => {
    if (editor === undefined) return;
    const language = monacoLanguageOf(path);
    const original = monaco.editor.createModel(before, language);
    const modified = monaco.editor.createModel(after, language);
    return showDiff(editor, { original, modified });
  }, [editor, before, after, path]);
  return <div ref={host} className={`${EDITOR_CONTAINER} min-h-0 flex-1`} />;
}
