import { useMessages } from '#components/i18n/i18n.tsx';
import { type PreviewTexts, previewTexts } from '#components/i18n/preview-texts.ts';

/** The texts of the preview in the person's language. */
export const usePreviewTexts = (): PreviewTexts => useMessages().preview ?? previewTexts;
