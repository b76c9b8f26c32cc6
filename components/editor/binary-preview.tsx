'use client';

import { useEffect, useState } from 'react';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Button } from '#components/ui/button.tsx';
import { basename } from '#lib/vfs/paths.ts';
import type { OpenedWorkspace } from '#studio/opened-workspace.ts';
import { download } from '#studio/page/download.ts';

/** Types that browsers show as images, by file extension. */
const IMAGE_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
};

/** A binary file: shown if it is an image, otherwise described, with a way to save it. */
export function BinaryPreview({ workspace: { fileSystem }, path }: { workspace: OpenedWorkspace; path: string }) {
  const t = useAllMessages();
  const [blob, setBlob] = useState<Blob>();
  useEffect(() => {
    let isCurrent = true;
    const read = () =>
      fileSystem.readFile(path).then(
        (bytes) => {
          const type = IMAGE_TYPES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
          if (isCurrent) setBlob(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }));
        },
        () => undefined,
      );
    void read();
    const unwatch = fileSystem.watch((changes) => {
      if (changes.some((change) => change.path === path)) void read();
    });
    return () => {
      isCurrent = false;
      unwatch();
    };
  }, [fileSystem, path]);
  if (blob === undefined) return null;
  return (
    <div className="flex min-h-0 flex-1 flex-col items-center gap-3 overflow-auto p-6 text-sm">
      {blob.type.startsWith('image/') ? <Picture blob={blob} name={basename(path)} /> : <p>{t.editor.binary}</p>}
      <p className="text-muted">{t.files.size(blob.size)}</p>
      <Button onClick={() => download(blob, basename(path))}>{t.files.download}</Button>
    </div>
  );
}

function Picture({ blob, name }: { blob: Blob; name: string }) {
  const t = useAllMessages();
  const [url, setUrl] = useState<string>();
  const [size, setSize] = useState<string>();
  useEffect(() => {
    const created = URL.createObjectURL(blob);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [blob]);
  return (
    <figure className="flex min-h-0 flex-col items-center gap-2">
      {url === undefined ? null : (
        // biome-ignore lint/performance/noImgElement: a workspace file; there is nothing to optimize
        <img
          src={url}
          alt={t.messages.image(name)}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setSize(`${naturalWidth} × ${naturalHeight}`)}
          onError={() => setSize(t.editor.brokenImage)}
          className="max-h-[60dvh] max-w-full rounded-sm border border-line bg-[repeating-conic-gradient(var(--color-sunken)_0_25%,transparent_0_50%)] bg-[length:16px_16px] object-contain"
        />
      )}
      <figcaption className="text-muted">{size}</figcaption>
    </figure>
  );
}
