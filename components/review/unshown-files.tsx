'use client';

import { useId, useState } from 'react';
import { useChangeTexts } from '#components/i18n/use-change-texts.ts';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import type { UncomparedFile } from '#lib/workspace/review/proposal.ts';

interface UnshownFilesProps {
  files: readonly UncomparedFile[];
  /** The number of all files that the call changes, including those that are shown. */
  total: number;
  /** A sentence about when these files change. */
  note?: string;
}

/**
 * Says how many of a call's files are not shown, followed by `note`, and names them all when asked. Renders nothing if there
 * are none.
 */
export function UnshownFiles({ files, total, note }: UnshownFilesProps) {
  const t = useChangeTexts();
  const [isOpen, setOpen] = useState(false);
  const listId = useId();
  if (files.length === 0) return null;
  return (
    <div className="my-2 text-sm">
      <p>
        {t.unshown(files.length, total)} {note}
      </p>
      <Disclosure open={isOpen} onOpenChange={setOpen} controls={listId} className="items-center gap-1 py-1 text-muted">
        {t.showNames}
      </Disclosure>
      <section
        id={listId}
        hidden={!isOpen}
        aria-label={t.unshownNames}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled with the keyboard, too
        tabIndex={0}
        className="max-h-60 overflow-auto rounded-md border border-line bg-surface p-2"
      >
        <pre className="text-xs">
          {isOpen ? files.map(({ path, change }) => `${visibleText(path)} (${t.kinds[change]})`).join('\n') : ''}
        </pre>
      </section>
    </div>
  );
}
