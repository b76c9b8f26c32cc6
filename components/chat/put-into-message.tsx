'use client';

import { useAui, useAuiState } from '@assistant-ui/react';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Button } from '#components/ui/button.tsx';
import { isPastedText } from '#studio/pasted.ts';
import { PASTED_MAX } from '#studio/settings.ts';

/**
 * A button in an attachment of pasted text: removes the attachment and gives `onText` its text. Renders nothing for other
 * files, and for a text that is too long for the message box.
 */
export function PutIntoMessage({ onText }: { onText(text: string): void }) {
  const t = useAllMessages();
  const aui = useAui();
  const file = useAuiState((state) => state.attachment.file);
  if (file === undefined || !isPastedText(file) || file.size > PASTED_MAX) return null;
  const put = async () => {
    // Removed first, because the attachment's index may change while its text is read.
    await aui.attachment.remove();
    onText(await file.text());
  };
  return (
    <Button className="ml-1 h-6 px-1.5 text-xs" onClick={() => void put()}>
      {t.messages.putIntoMessage}
    </Button>
  );
}
