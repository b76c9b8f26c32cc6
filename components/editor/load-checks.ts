import type { CheckFiles } from '#studio/editing/language-services.ts';
import { withEditorTexts } from './editor-texts.ts';

/** Loads and returns `checkFiles`, the function that checks files, and the editor's language services with it. */
export const loadChecks = async (): Promise<CheckFiles> =>
  (await withEditorTexts(() => import('./check-files.ts'))).checkFiles;
