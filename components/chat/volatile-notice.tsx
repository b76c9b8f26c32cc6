'use client';

import { useStudio } from '#components/hooks/studio-provider.tsx';
import { useSaveBackup } from '#components/hooks/use-save-backup.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Button } from '#components/ui/button.tsx';

/** Warns that the browser stores nothing, so that nothing outlives this page, and explains why. */
export default function VolatileNotice() {
  const t = useAllMessages();
  const studio = useStudio();
  const save = useSaveBackup();
  return (
    <section className="shrink-0 border-line border-b bg-waiting-soft px-4 py-2 text-sm">
      <h2 className="font-medium">{t.noStorage.title}</h2>
      <p className="mt-1">{t.noStorage.detail}</p>
      <p className="mt-1 break-words font-mono text-muted text-xs">{studio.volatile}</p>
      <div className="mt-2 flex gap-2">
        <Button onClick={() => location.reload()}>{t.common.reload}</Button>
        <Button onClick={save}>{t.settings.saveBackup}</Button>
      </div>
    </section>
  );
}
