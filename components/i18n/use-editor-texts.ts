import { type EditorTexts, editorTexts } from './editor-texts.ts';
import { useMessages } from './i18n.tsx';

/** The texts of the notice that a file was saved without being formatted, in the person's language. */
export const useEditorTexts = (): EditorTexts => useMessages().editorView ?? editorTexts;
