'use client';

import { useCompactionTexts } from '#components/i18n/use-compaction-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { focusComposer } from '#components/ui/focus.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';

/** Says that the conversation will be summarized before the next answer, with a button that cancels this. */
export default function CompactsNext({ session }: { session: ThreadSession }) {
  const texts = useCompactionTexts();
  const cancel = () => {
    // The button disappears, and would take the focus with it.
    focusComposer();
    void session.compactNext(false);
  };
  return (
    <p role="status" className="mx-auto flex w-full max-w-3xl items-center gap-3 px-4 py-1 text-muted text-sm">
      {texts.next}
      <Button onClick={cancel}>{texts.cancel}</Button>
    </p>
  );
}
