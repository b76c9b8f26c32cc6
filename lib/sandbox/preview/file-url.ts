import { lookup } from 'mrmime';
import { dataUrl } from '#lib/base/data-url.ts';

/** Returns a file's contents as a `data:` URL, with the media type that the name in its path implies. */
export const fileUrl = (path: string, contents: Uint8Array): string =>
  dataUrl(lookup(path) ?? 'application/octet-stream', contents);
