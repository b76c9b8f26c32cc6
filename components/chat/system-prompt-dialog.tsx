'use client';

import { useState } from 'react';
import { useCurrentSettings, useSettings, useStudio } from '#components/hooks/studio-provider.tsx';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';

/** A dialog to read and change the open thread's system prompt. */
export default function SystemPromptDialog({ onClose }: { onClose(): void }) {
  const t = useAllMessages();
  const { threads } = useStudio();
  const fallback = useSettings(({ systemPrompt }) => systemPrompt);
  const own = useCurrentSettings().systemPrompt;
  const [text, setText] = useState(own ?? fallback);
  const save = (systemPrompt: string | null) => {
    void threads.changeSettings({ systemPrompt });
    onClose();
  };
  return (
    <Dialog open onOpenChange={onClose} title={t.controls.systemPrompt} description={t.systemPrompt.help} wide>
      <textarea
        aria-label={t.controls.systemPrompt}
        value={text}
        onChange={(event) => setText(event.target.value)}
        rows={10}
        className="w-full rounded-md border border-line-strong bg-surface p-2 text-sm"
      />
      <div className="mt-3 flex justify-end gap-2">
        <Button onClick={() => save(null)}>{t.systemPrompt.useDefault}</Button>
        <Button variant="primary" onClick={() => save(text)}>
          {t.common.save}
        </Button>
      </div>
    </Dialog>
  );
}
