'use client';

import { useMessages } from '#components/i18n/i18n.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import type { AssistantMessage } from '#lib/messages/message.ts';

export default function ContextInspector({ message, onClose }: { message: AssistantMessage; onClose(): void }) {
  const t = useMessages();
  return (
    <Dialog open onOpenChange={onClose} title={t.inspector.title} wide>
      <p>{message.id}</p>
    </Dialog>
  );
}
