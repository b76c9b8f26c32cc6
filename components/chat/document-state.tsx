'use client';

import { useAuiState } from '@assistant-ui/react';
import { useEffect, useState } from 'react';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import type { Reading } from './attached-document.ts';

/**
 * Shows the state of an attached document: that it is being read, its size, such as its number of pages, that it has no
 * text, or why it could not be read. Renders nothing for other files.
 */
export function DocumentState() {
  const t = useAllMessages();
  const reading = useReading(useAuiState((state) => state.attachment.file));
  if (reading === undefined) return null;
  if (reading === 'reading') return <span className="text-muted text-xs">{t.attachedDocuments.reading}</span>;
  if (reading.type === 'failed')
    return (
      <span role="alert" className="min-w-0 grow basis-40 text-failed text-xs">
        {t.attachedDocuments.problems[reading.problem]}
      </span>
    );
  const { unit, count, parts } = reading.document;
  const isEmpty = parts.every(({ text }) => text.trim() === '');
  const size = unit === 'text' ? '' : t.attachedDocuments.sizes[unit](count);
  return <span className="text-muted text-xs">{isEmpty ? t.attachedDocuments.noText : size}</span>;
}

/** The outcome of reading a document; `reading` until it is known, and undefined for a file that is no document. */
function useReading(file: File | undefined): Reading | 'reading' | undefined {
  const [known, setKnown] = useState<{ file: File; reading: Reading | 'reading' }>();
  useEffect(() => {
    if (file === undefined) return;
    let isShown = true;
    const show = (reading: Reading | 'reading') => isShown && setKnown({ file, reading });
    void import('./attached-document.ts').then(({ readingOf }) => {
      const reading = readingOf(file);
      if (reading === undefined) return;
      show('reading');
      void reading.then(show);
    });
    return () => {
      isShown = false;
    };
  }, [file]);
  return known?.file === file ? known?.reading : undefined;
}
