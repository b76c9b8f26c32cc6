'use client';

import { AttachmentPrimitive, ComposerPrimitive, useAuiState } from '@assistant-ui/react';
import { X } from 'lucide-react';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { IconButton } from '#components/ui/button.tsx';
import { focusComposer } from '#components/ui/focus.ts';
import { AttachmentPicture } from './attachment-picture.tsx';
import { useCurrentModel } from './controls.tsx';
import { DocumentState } from './document-state.tsx';
import { PutIntoMessage } from './put-into-message.tsx';

/**
 * The files that are attached to the message, with a warning if there are pictures that the model cannot see. `onText`: called
 * with the text of a pasted file that the person puts into the message instead.
 */
export default function AttachmentChips({ onText }: { onText(text: string): void }) {
  const t = useAllMessages();
  const model = useCurrentModel();
  const hasImage = useAuiState((state) => state.composer.attachments.some(({ type }) => type === 'image'));
  return (
    <>
      <div className="flex max-h-[20dvh] shrink-0 flex-wrap gap-1 overflow-y-auto empty:hidden">
        <ComposerPrimitive.Attachments>{() => <AttachmentChip onText={onText} />}</ComposerPrimitive.Attachments>
      </div>
      {hasImage && model?.vision === false ? (
        <p className="px-1 pb-1 text-denied text-sm">{t.composer.noVision(model.name)}</p>
      ) : null}
    </>
  );
}

function AttachmentChip({ onText }: { onText(text: string): void }) {
  const t = useAllMessages();
  const name = useAuiState((state) => state.attachment.name);
  return (
    <AttachmentPrimitive.Root className="mb-1 inline-flex max-w-full flex-wrap items-center gap-x-1 rounded-md border border-line bg-sunken pl-2 text-sm">
      <AttachmentPicture />
      <span className="max-w-48 min-w-0 truncate">{name}</span>
      <PutIntoMessage onText={onText} />
      <DocumentState />
      <AttachmentPrimitive.Remove asChild>
        <IconButton label={t.composer.removeAttachment(name)} size="small" onClick={focusComposer}>
          <X aria-hidden size={13} />
        </IconButton>
      </AttachmentPrimitive.Remove>
    </AttachmentPrimitive.Root>
  );
}
