import type { PathChange } from '#lib/vfs/file-changes.ts';
import type { ComparedContent } from './editor-tabs.ts';

/**
 * Converts one side of a change, its state before or after, to content for a comparison in the editor; null if no file was
 * there.
 */
export const comparedContent = (state: PathChange['before']): ComparedContent =>
  state?.type === 'file' ? { blob: state.blob, size: state.size } : null;
