'use client';

import { useEffect, useRef } from 'react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useLiveWrite } from '#components/runtime/live-writes.ts';
import { Spinner } from '#components/ui/spinner.tsx';
import { monaco } from './monaco.ts';
import { EDITOR_OPTIONS, languageOf } from './options.ts';

interface LiveViewProps {
  path: string;
  toolCallId: string;
  onClose(): void;
}

/** A file as the model writes it. It follows the end of the text unless the person has scrolled away. */
export function LiveView({ path, toolCallId, onClose }: LiveViewProps) {
  const t = useMessages();
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<monaco.editor.IStandaloneCodeEditor>(undefined);
  const write = useLiveWrite(toolCallId);
  const content = write?.content;
  useEffect(() => {
    if (host.current === null) return;
    const model = monaco.editor.createModel('', languageOf(path));
    const created = monaco.editor.create(host.current, {
      ...EDITOR_OPTIONS,
      model,
      readOnly: true,
      ariaLabel: t.editor.liveLabel(path),
    });
    editor.current = created;
    return () => {
      created.dispose();
      model.dispose();
    };
  }, [path, t]);
  useEffect(() => {
    if (editor.current === undefined || content === undefined) return;
    append(editor.current, content);
  }, [content]);
  useEffect(() => {
    if (write === undefined) onClose();
  }, [write, onClose]);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <p role="status" className="flex shrink-0 items-center gap-2 border-line border-b px-3 py-1 text-muted text-xs">
        <Spinner size={12} />
        {t.editor.live}
      </p>
      <div ref={host} className="min-h-0 flex-1" />
    </div>
  );
}

/** Brings the model up to a text that has grown, without setting it anew. */
function append(editor: monaco.editor.ICodeEditor, content: string): void {
  const model = editor.getModel();
  if (model === null) return;
  const isAtEnd = editor.getScrollTop() + editor.getLayoutInfo().height >= editor.getScrollHeight() - 40;
  const shown = model.getValue(monaco.editor.EndOfLinePreference.LF);
  if (content.startsWith(shown)) {
    const end = model.getFullModelRange().getEndPosition();
    model.applyEdits([{ range: monaco.Range.fromPositions(end), text: content.slice(shown.length) }]);
  } else model.setValue(content);
  if (isAtEnd) editor.revealLine(model.getLineCount());
}
