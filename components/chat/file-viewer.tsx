'use client';

import { ChevronLeft, ChevronRight, Download } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useState } from 'react';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { CodeBlock } from '#components/markdown/code-block.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { ZoomedPicture } from '#components/ui/zoomed-picture.tsx';
import { bytesOfDataUrl, textOfDataUrl } from '#lib/base/data-url.ts';
import { download } from '#studio/page/download.ts';

/** A file that was sent. `url`: its content, as a `data:` URL. */
export interface ViewedFile {
  name: string;
  mediaType: string;
  url: string;
}

interface FileViewerProps {
  files: readonly ViewedFile[];
  /** The index of the file that is shown first. */
  first: number;
  onClose(): void;
}

/** The files of a message in a large window, one at a time. The arrow keys lead to the others. */
export default function FileViewer({ files, first, onClose }: FileViewerProps) {
  const t = useAllMessages();
  const [index, setIndex] = useState(first);
  const file = files[index];
  if (file === undefined) return null;
  const step = (by: number) => setIndex((index + by + files.length) % files.length);
  const onKeyDown = ({ key, target }: KeyboardEvent) => {
    const isScrollable = target instanceof HTMLElement && target.scrollWidth > target.clientWidth;
    if (files.length < 2 || isScrollable) return;
    if (key === 'ArrowRight') step(1);
    if (key === 'ArrowLeft') step(-1);
  };
  const controls = (
    <span className="ms-auto flex items-center gap-1">
      {files.length < 2 ? null : (
        <>
          <IconButton label={t.viewer.previous} onClick={() => step(-1)}>
            <ChevronLeft aria-hidden size={16} />
          </IconButton>
          <span className="text-sm tabular-nums">{t.viewer.position(index + 1, files.length)}</span>
          <IconButton label={t.viewer.next} onClick={() => step(1)}>
            <ChevronRight aria-hidden size={16} />
          </IconButton>
        </>
      )}
      <IconButton
        label={t.viewer.download}
        onClick={() => download(new Blob([bytesOf(file)], { type: file.mediaType }), file.name)}
      >
        <Download aria-hidden size={16} />
      </IconButton>
    </span>
  );
  return (
    <Dialog open onOpenChange={onClose} title={file.name || t.viewer.file} large>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys work wherever the focus is in the window */}
      <div className="h-full" onKeyDown={onKeyDown}>
        {file.mediaType.startsWith('image/') ? (
          <Picture key={index} file={file} controls={controls} />
        ) : (
          <Text key={index} file={file} controls={controls} />
        )}
      </div>
    </Dialog>
  );
}

interface ViewProps {
  file: ViewedFile;
  controls: ReactNode;
}

function Picture({ file, controls }: ViewProps) {
  const [size, setSize] = useState<{ width: number; height: number }>();
  useEffect(() => {
    const picture = new Image();
    picture.onload = () => setSize({ width: picture.naturalWidth, height: picture.naturalHeight });
    picture.src = file.url;
  }, [file]);
  if (size === undefined) return <div className="flex border-line border-b px-2 py-1">{controls}</div>;
  return (
    <ZoomedPicture src={file.url} alt={file.name} {...size}>
      {controls}
    </ZoomedPicture>
  );
}

function Text({ file, controls }: ViewProps) {
  const text = useMemo(() => textOf(file), [file]);
  const extension = /\.(\w+)$/.exec(file.name)?.[1];
  return (
    <div className="flex h-full flex-col">
      <div className="flex border-line border-b px-2 py-1">{controls}</div>
      <div className="min-h-0 flex-1 overflow-y-auto px-3 [&_pre]:max-h-none">
        <CodeBlock code={text} language={extension} label={file.name} wraps />
      </div>
    </div>
  );
}

/** The text of a file; empty if its address is damaged. */
function textOf({ url }: ViewedFile): string {
  try {
    return textOfDataUrl(url);
  } catch {
    // It was changed outside of the studio.
    return '';
  }
}

const bytesOf = ({ mediaType, url }: ViewedFile): Uint8Array<ArrayBuffer> =>
  mediaType.startsWith('image/') ? bytesOfDataUrl(url) : new TextEncoder().encode(textOfDataUrl(url));
