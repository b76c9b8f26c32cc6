import type { en } from './en.ts';
import type { modelTexts } from './model-texts.ts';
import type { previewTexts } from './preview-texts.ts';

/** The texts of the page in one language. Other languages than English bring those of lazy views along. */
export type Messages = typeof en & { models?: typeof modelTexts; preview?: typeof previewTexts };

/** All texts of a language. */
export type Catalog = Required<Messages>;
