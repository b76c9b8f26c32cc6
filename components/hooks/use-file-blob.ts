'use client';

import { useEffect, useState } from 'react';
import type { OpenedWorkspace } from '#studio/opened-workspace.ts';

/** The media types of images that browsers show, by file extension. */
const IMAGE_TYPES: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
  ['bmp', 'image/bmp'],
  ['ico', 'image/x-icon'],
  ['svg', 'image/svg+xml'],
]);

/** The media type of a file, by its extension, if browsers show it as an image; undefined for other files. */
export const imageType = (path: string): string | undefined =>
  IMAGE_TYPES.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());

/**
 * The content of a file, read again whenever it changes; undefined until it is read, and while there is no such file. Images
 * have their media type.
 */
export function useFileBlob(workspace: OpenedWorkspace | undefined, path: string): Blob | undefined {
  const fileSystem = workspace?.fileSystem;
  const [blob, setBlob] = useState<Blob>();
  useEffect(() => {
    if (fileSystem === undefined) return;
    let isCurrent = true;
    setBlob(undefined);
    const read = () =>
      fileSystem.readFile(path).then(
        (bytes) => {
          const type = imageType(path) ?? 'application/octet-stream';
          if (isCurrent) setBlob(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }));
        },
        () => {
          // It was deleted, or is a folder now.
          if (isCurrent) setBlob(undefined);
        },
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
  return blob;
}

/** An object URL for a blob, revoked when the blob changes; undefined at first, and without a blob. */
export function useBlobUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    setUrl(undefined);
    if (blob === undefined) return;
    const created = URL.createObjectURL(blob);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [blob]);
  return url;
}
