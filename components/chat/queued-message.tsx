'use client';

import { useAui } from '@assistant-ui/react';
import { useConversation } from '#components/hooks/conversation.ts';
import { useSession } from '#components/hooks/studio-provider.tsx';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Button } from '#components/ui/button.tsx';
import { focusComposer } from '#components/ui/focus.ts';
import type { UserMessage } from '#lib/messages/message.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';
import { putIntoComposer } from './user-message.ts';

interface QueuedMessageProps {
  session: ThreadSession;
  queued: UserMessage;
}

/** Shows the message that waits for the turn to end, which can be sent at once or taken back into the composer. */
export default function QueuedMessage({ session, queued }: QueuedMessageProps) {
  const t = useAllMessages();
  const aui = useAui();
  const conversation = useConversation();
  const busy = useSession(session, (snapshot) => snapshot.busy) ?? false;
  const text = queued.parts.map((part) => (part.type === 'text' ? part.text : (part.filename ?? ''))).join('\n');
  const takeBack = async () => {
    const message = await session.takeBackQueued();
    if (message !== undefined) await putIntoComposer(aui.composer, message);
  };
  return (
    <div role="status" className="mb-2 rounded-md border border-line border-dashed px-3 py-2 text-sm">
      <p className="text-muted text-xs">{busy ? t.waiting.queued : t.waiting.notSentYet}</p>
      <p className="line-clamp-3 whitespace-pre-wrap break-words">{text}</p>
      <div className="mt-1 flex gap-2">
        <Button
          onClick={() => {
            focusComposer();
            conversation.list?.scrollToEnd();
            void session.sendQueuedNow();
          }}
        >
          {t.waiting.sendNow}
        </Button>
        <Button onClick={() => void takeBack()}>{t.waiting.takeBack}</Button>
      </div>
    </div>
  );
}
