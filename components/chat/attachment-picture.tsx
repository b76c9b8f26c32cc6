'use client';

import { useAuiState } from '@assistant-ui/react';
import { useState } from 'react';
import { useBlobUrl } from '#components/hooks/use-file-blob.ts';

/**
 * A thumbnail of an attached picture, by which to tell pasted pictures apart, which all have the same name. Renders nothing
 * for other files, and for pictures that the browser cannot show.
 */
export function AttachmentPicture() {
  const url = useBlobUrl(useAuiState(({ attachment }) => (attachment.type === 'image' ? attachment.file : undefined)));
  const [broken, setBroken] = useState<string>();
  if (url === undefined || url === broken) return null;
  return (
    // biome-ignore lint/performance/noImgElement: a file of this page; there is nothing to optimize
    <img src={url} alt="" onError={() => setBroken(url)} className="-ml-1 my-1 size-10 rounded-sm object-cover" />
  );
}
