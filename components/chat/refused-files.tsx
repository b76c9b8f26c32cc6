'use client';

import { X } from 'lucide-react';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { IconButton } from '#components/ui/button.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { isNotebook, NOTEBOOK_MAX_BYTES } from '#lib/tools/files/notebook.ts';
import type { RefusedFile } from './attached-file.ts';
import { ATTACHMENT_MAX_BYTES } from './attachment-limits.ts';

/** The largest size of a file that was refused with this code, in words. */
function limitOf({ name, code }: RefusedFile): string {
  const documentMax = isNotebook(name) ? NOTEBOOK_MAX_BYTES : DOCUMENT_LIMITS.bytes;
  return `${(code === 'document-too-large' ? documentMax : ATTACHMENT_MAX_BYTES) / 1_000_000} MB`;
}

/** Lists the files that could not be attached, each with the reason. */
export default function RefusedFiles({ files, onClose }: { files: readonly RefusedFile[]; onClose(): void }) {
  const t = useAllMessages();
  return (
    <div role="alert" className="mb-1 flex shrink-0 items-start gap-2 px-1 text-failed text-sm">
      <ul className="max-h-[20dvh] min-w-0 flex-1 overflow-y-auto break-words py-1.5">
        {files.map((file, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: several may have the same name
          <li key={index}>
            {(t.refusedFiles[file.code] ?? t.refusedFiles.unreadable)(visibleText(file.name), limitOf(file))}
          </li>
        ))}
      </ul>
      <IconButton label={t.common.close} onClick={onClose}>
        <X aria-hidden size={14} />
      </IconButton>
    </div>
  );
}
