import type { CheckFiles } from '#studio/editing/language-services.ts';
import { withEditorTexts } from './editor-texts.ts';

/**
 * Loads the code of the editor's language services, and returns its function `checkFiles`, which reports the problems that
 * the services find in files of a workspace.
 */
export const loadChecks = async (): Promise<CheckFiles> =>
  (await withEditorTexts(() => import('./check-files.ts'))).checkFiles;
