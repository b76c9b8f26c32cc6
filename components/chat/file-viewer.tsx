'use client';

import { ChevronLeft, ChevronRight, Download } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { CodeBlock } from '#components/markdown/code-block.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { PictureView } from '#components/ui/picture-view.tsx';
import { bytesOfDataUrl, textOfDataUrl } from '#lib/base/data-url.ts';
import { formatOfName } from '#lib/tools/documents/document-type.ts';
import { isNotebook } from '#lib/tools/files/notebook.ts';
import { download } from '#studio/page/download.ts';

/** A file that was sent. `url`: its content, as a `data:` URL. */
export interface ViewedFile {
  name: string;
  mediaType: string;
  url: string;
}

/** The name of a file that is downloaded. Of a document, a message has only the text. */
function downloadName({ name, mediaType }: ViewedFile): string {
  const isDocument = formatOfName(name) !== undefined || isNotebook(name);
  return mediaType === 'text/plain' && isDocument ? `${name}.txt` : name;
}

interface FileViewerProps {
  files: readonly ViewedFile[];
  /** The index of the file that is shown first. */
  first: number;
  onClose(): void;
}

/**
 * The files of a message in a large window, one at a time. The arrow keys show the previous and the next file. `first`: the
 * index of the file that is shown first.
 */
export default function FileViewer({ files, first, onClose }: FileViewerProps) {
  const t = useAllMessages();
  const [index, setIndex] = useState(first);
  const { length } = files;
  // Wherever the focus is in the window.
  useEffect(() => {
    const onKeyDown = ({ key, target }: KeyboardEvent) => {
      const isScrollable = target instanceof HTMLElement && target.scrollWidth > target.clientWidth;
      if (isScrollable || length < 2) return;
      if (key === 'ArrowRight') setIndex((shown) => (shown + 1) % length);
      if (key === 'ArrowLeft') setIndex((shown) => (shown - 1 + length) % length);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [length]);
  const file = files[index];
  if (file === undefined) return null;
  const step = (by: number) => setIndex((index + by + length) % length);
  const controls = (
    <span className="ms-auto flex shrink-0 items-center gap-1">
      {files.length < 2 ? null : (
        <>
          <IconButton label={t.viewer.previous} onClick={() => step(-1)}>
            <ChevronLeft aria-hidden size={16} />
          </IconButton>
          <span className="whitespace-nowrap text-sm tabular-nums">{t.viewer.position(index + 1, files.length)}</span>
          <IconButton label={t.viewer.next} onClick={() => step(1)}>
            <ChevronRight aria-hidden size={16} />
          </IconButton>
        </>
      )}
      <IconButton
        label={t.viewer.download}
        onClick={() => download(new Blob([bytesOf(file)], { type: file.mediaType }), downloadName(file))}
      >
        <Download aria-hidden size={16} />
      </IconButton>
    </span>
  );
  return (
    <Dialog open onOpenChange={onClose} title={file.name || t.viewer.file} large>
      {file.mediaType.startsWith('image/') ? (
        <PictureView key={index} url={file.url} name={file.name}>
          {controls}
        </PictureView>
      ) : (
        <Text key={index} file={file} controls={controls} />
      )}
    </Dialog>
  );
}

interface ViewProps {
  file: ViewedFile;
  controls: ReactNode;
}

function Text({ file, controls }: ViewProps) {
  const text = useMemo(() => textOf(file), [file]);
  const extension = /\.(\w+)$/.exec(file.name)?.[1];
  return (
    <div className="flex h-full flex-col">
      <div className="flex border-line border-b px-2 py-1">{controls}</div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <div tabIndex={0} data-initial-focus="" className="min-h-0 flex-1 overflow-y-auto px-3 [&_pre]:max-h-none">
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

/** The bytes of a file; those of its text if it is none that a `data:` URL has in base64. */
function bytesOf(file: ViewedFile): Uint8Array<ArrayBuffer> {
  try {
    return bytesOfDataUrl(file.url);
  } catch {
    // It was not written in base64, or changed outside of the studio.
    return new TextEncoder().encode(textOf(file));
  }
}
