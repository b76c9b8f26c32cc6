'use client';

import { KeyRound } from 'lucide-react';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useModelTexts } from '#components/i18n/use-model-texts.ts';
import { Button } from '#components/ui/button.tsx';

/**
 * A notice that the person's keys are locked, with a button that opens the dialog for their passphrase. The caller renders it
 * only while the model in use needs one of them.
 */
export default function LockedKeys() {
  const texts = useModelTexts();
  const { unlockKeys } = useWorkbench();
  return (
    <div role="status" className="mb-2 flex items-center gap-2 rounded-md bg-waiting-soft px-3 py-2 text-sm">
      <KeyRound aria-hidden size={15} className="text-waiting" />
      <span className="flex-1">{texts.connections.locked}</span>
      <Button onClick={unlockKeys}>{texts.connections.unlock}</Button>
    </div>
  );
}
