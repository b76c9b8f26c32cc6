import { useMemo } from 'react';
import { useBlobUrl } from '#components/hooks/use-file-blob.ts';
import type { Drawing } from '#lib/sandbox/diagrams/drawing.ts';

/** An object URL of a drawing's picture, revoked when it is no longer shown; undefined at first. */
export const usePictureUrl = ({ png }: Drawing): string | undefined =>
  useBlobUrl(useMemo(() => new Blob([png], { type: 'image/png' }), [png]));
