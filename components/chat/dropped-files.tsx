'use client';

import { useEffect, useEffectEvent } from 'react';

interface DroppedFilesProps {
  onFiles(files: File[]): void;
  /** Reports whether files are being dragged over the conversation. */
  onDragging(isOver: boolean): void;
}

/**
 * Passes files that are dropped over the conversation to `onFiles`, which attaches them. `onDragging`: called with whether
 * files are being dragged over it. Keeps the browser from leaving the page for a file or an address that is dropped where
 * nothing takes it. Renders nothing.
 */
export default function DroppedFiles({ onFiles, onDragging }: DroppedFilesProps) {
  const onDrag = useEffectEvent((event: DragEvent) => {
    const { dataTransfer, target, type } = event;
    const isOn = (selector: string) => target instanceof Element && target.closest(selector) !== null;
    const hasFiles = dataTransfer?.types.includes('Files') === true;
    // An address that is dropped would take the page away as well.
    const isForPage = hasFiles || (dataTransfer?.types.includes('text/uri-list') && !isOn('input, textarea'));
    if (event.defaultPrevented || !isForPage || dataTransfer === null) return onDragging(false);
    event.preventDefault();
    const isOver = hasFiles && isOn('main');
    dataTransfer.dropEffect = isOver ? 'copy' : 'none';
    onDragging(isOver && type === 'dragover');
    if (isOver && type === 'drop') onFiles([...dataTransfer.files]);
  });
  const onLeave = useEffectEvent(({ relatedTarget }: DragEvent) => relatedTarget === null && onDragging(false));
  // Loads code that attaching needs in advance: the server may be down when files are dropped.
  useEffect(
    () =>
      void Promise.all([
        import('./attached-file.ts'),
        import('./attachment-chips.tsx'),
        import('./refused-files.tsx'),
      ]).catch(() => undefined),
    [],
  );
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    addEventListener('dragover', onDrag, { signal });
    addEventListener('drop', onDrag, { signal });
    addEventListener('dragleave', onLeave, { signal });
    return () => ended.abort();
  }, []);
  return null;
}
