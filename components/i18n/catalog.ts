import type { en } from './en.ts';
import type { previewTexts } from './preview-texts.ts';

/** The texts of the page in one language. Other languages than English bring those of the preview along. */
export type Messages = typeof en & { preview?: typeof previewTexts };

/** All texts of a language. */
export type Catalog = Required<Messages>;
