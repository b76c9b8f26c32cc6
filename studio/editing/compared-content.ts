import type { PathChange } from '#lib/vfs/file-changes.ts';
import type { ComparedContent } from './editor-tabs.ts';

/** One side of a change, as a comparison in the editor takes it. */
export const comparedContent = (state: PathChange['before']): ComparedContent =>
  state?.type === 'file' ? { blob: state.blob, size: state.size } : null;
