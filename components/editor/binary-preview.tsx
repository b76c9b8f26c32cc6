'use client';

import { useState } from 'react';
import { useBlobUrl, useFileBlob } from '#components/hooks/use-file-blob.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Button } from '#components/ui/button.tsx';
import { basename } from '#lib/vfs/paths.ts';
import type { OpenedWorkspace } from '#studio/opened-workspace.ts';
import { download } from '#studio/page/download.ts';

/** A binary file: shown if it is an image, otherwise described, with a way to save it. */
export function BinaryPreview({ workspace, path }: { workspace: OpenedWorkspace; path: string }) {
  const t = useAllMessages();
  const blob = useFileBlob(workspace, path);
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
  const url = useBlobUrl(blob);
  const [size, setSize] = useState<string>();
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
