'use client';

import { MessageCircleQuestion } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSession, useThreads } from '#components/hooks/studio-provider.tsx';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Button } from '#components/ui/button.tsx';

const NOTHING: readonly string[] = [];

/** Says how many calls need the user's approval while the card of the first is scrolled out of view, and links to it. */
export default function WaitingOutOfSight() {
  const t = useAllMessages();
  const session = useThreads((state) => state.session);
  const asking = useSession(session, (snapshot) => snapshot.asking) ?? NOTHING;
  const first = asking[0];
  const isHidden = useIsOutOfSight(first);
  if (first === undefined || !isHidden) return null;
  const show = () => {
    const card = cardOf(first);
    card?.scrollIntoView({ block: 'center' });
    card?.querySelector('button')?.focus({ preventScroll: true });
  };
  return (
    <div role="status" className="mb-2 flex items-center gap-2 rounded-md bg-waiting-soft px-3 py-2 text-sm">
      <MessageCircleQuestion aria-hidden size={15} className="text-waiting" />
      <span className="flex-1">{t.waiting.outOfSight(asking.length)}</span>
      <Button onClick={show}>{t.waiting.show}</Button>
    </div>
  );
}

const cardOf = (toolCallId: string): Element | null =>
  document.querySelector(`[data-call-id="${CSS.escape(toolCallId)}"]`);

/** Checks whether no part of a call's card is visible. */
function useIsOutOfSight(toolCallId: string | undefined): boolean {
  const [isHidden, setHidden] = useState(false);
  useEffect(() => {
    if (toolCallId === undefined) return;
    let observed: Element | null = null;
    const sight = new IntersectionObserver((entries) => setHidden(entries.at(-1)?.isIntersecting === false));
    const look = () => {
      const card = cardOf(toolCallId);
      if (card === observed) return;
      sight.disconnect();
      observed = card;
      if (card !== null) sight.observe(card);
    };
    look();
    // The card may appear later than the question, and may be rendered again while it waits.
    const changes = new MutationObserver(look);
    changes.observe(document.body, { childList: true, subtree: true });
    return () => {
      changes.disconnect();
      sight.disconnect();
      setHidden(false);
    };
  }, [toolCallId]);
  return isHidden;
}
