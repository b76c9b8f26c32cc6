'use client';

import { type ReactNode, useContext, useState } from 'react';
import { useWorkspace } from '#components/hooks/studio-provider.tsx';
import { useBlobUrl, useFileBlob } from '#components/hooks/use-file-blob.ts';
import { WorkbenchContext } from '#components/hooks/workbench.ts';
import { OpeningPicture } from '#components/ui/opening-picture.tsx';
import { LinkAround } from './file-link.tsx';

interface FileImageProps {
  path: string;
  alt: string;
  /** Shown until the file is read, and if it is not an image. */
  children: ReactNode;
}

/**
 * An image file of the workspace in an answer, updated when the file changes. Shows `children` instead if there is no such
 * file, or it is not an image.
 */
export function FileImage(props: FileImageProps) {
  // Elsewhere, such as in a test of the parser alone, there is no workspace.
  return useContext(WorkbenchContext) === undefined ? props.children : <Loaded {...props} />;
}

function Loaded({ path, alt, children }: FileImageProps) {
  const url = useBlobUrl(useFileBlob(useWorkspace(), path));
  const around = useContext(LinkAround);
  const [broken, setBroken] = useState<string>();
  if (url === undefined || broken === url) return children;
  const picture = (
    // biome-ignore lint/performance/noImgElement: a workspace file; there is nothing to optimize
    <img src={url} alt={alt} onError={() => setBroken(url)} className="my-1 max-h-[60dvh] max-w-full rounded-sm" />
  );
  // A link leads elsewhere.
  if (around !== undefined) return picture;
  return (
    <OpeningPicture url={url} name={alt || path.slice(path.lastIndexOf('/') + 1)}>
      {picture}
    </OpeningPicture>
  );
}
