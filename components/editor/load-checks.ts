import type { CheckFiles } from '#studio/editing/language-services.ts';
import { withEditorTexts } from './editor-texts.ts';

/** Loads what checks files, with the editor's language services. */
export const loadChecks = async (): Promise<CheckFiles> =>
  (await withEditorTexts(() => import('./check-files.ts'))).checkFiles;
