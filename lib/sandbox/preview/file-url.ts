import { lookup } from 'mrmime';
import { dataUrl } from '#lib/base/data-url.ts';

/** A file's contents as a data: URL, with the type that its name implies. */
export const fileUrl = (path: string, contents: Uint8Array): string =>
  dataUrl(lookup(path) ?? 'application/octet-stream', contents);
