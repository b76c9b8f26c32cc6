'use client';

import { useState } from 'react';
import { describeFileProblem } from '#components/files/file-problem.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useStorage, useStudio } from '#components/runtime/studio-provider.tsx';
import { Button } from '#components/ui/button.tsx';
import { Select } from '#components/ui/select.tsx';

const DAY_MS = 86_400_000;

/** The ages, in days, from which history can be deleted. */
const AGES = [30, 7, 1, 0] as const;

/** How full this browser's storage is, and ways to free some of it. */
export function StorageControls() {
  const t = useMessages();
  const { workspaces, storage } = useStudio();
  const { used, quota, isPersistent } = useStorage((use) => use);
  const [age, setAge] = useState<number>(AGES[0]);
  const [outcome, setOutcome] = useState<{ text: string; failed: boolean }>();
  const forget = async () => {
    const before = used ?? 0;
    try {
      await workspaces.forgetBefore(Date.now() - age * DAY_MS);
      await storage.look();
      const freed = Math.max(0, before - (storage.state.getState().used ?? before));
      setOutcome({ text: t.storage.historyDeleted(t.files.size(freed)), failed: false });
    } catch (error) {
      setOutcome({ text: describeFileProblem(error, t), failed: true });
    }
  };
  return (
    <div className="grid gap-2 text-sm">
      {used === undefined || quota === undefined ? (
        <p className="text-muted">{t.storage.unknown}</p>
      ) : (
        <label className="grid gap-1">
          {t.storage.used(t.files.size(used), t.files.size(quota))}
          <meter min={0} max={quota} value={used} className="h-2 w-full" />
        </label>
      )}
      <p className="text-muted">{isPersistent ? t.storage.persistent : t.storage.notPersistent}</p>
      <div className="flex flex-wrap items-center gap-2">
        <Select
          label={t.storage.age}
          value={`${age}`}
          options={AGES.map((days) => ({ value: `${days}`, label: t.storage.ages(days) }))}
          onValueChange={(value) => setAge(Number(value))}
        />
        <Button variant="danger" onClick={() => void forget()}>
          {t.storage.deleteHistory}
        </Button>
      </div>
      <p className="text-muted">{t.storage.deleteHistoryHelp}</p>
      {outcome === undefined ? null : (
        <p role={outcome.failed ? 'alert' : 'status'} className={outcome.failed ? 'text-failed' : 'text-done'}>
          {outcome.text}
        </p>
      )}
    </div>
  );
}
