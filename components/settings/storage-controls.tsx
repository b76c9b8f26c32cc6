'use client';

import { useState } from 'react';
import { describeFileProblem } from '#components/files/file-problem.ts';
import { useStorage, useStudio } from '#components/hooks/studio-provider.tsx';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Button } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/confirm-dialog.tsx';
import { Select } from '#components/ui/select.tsx';

const DAY_MS = 86_400_000;

/** The choices of the age, in days, from which the history of files is deleted. */
const AGES = [30, 7, 1, 0] as const;

const scrollIntoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

/** Shows how full this browser's storage is, and ways to free some of it. */
export function StorageControls() {
  const t = useAllMessages();
  const { workspaces, storage } = useStudio();
  const { used, quota, isPersistent } = useStorage((use) => use);
  const [age, setAge] = useState<number>(AGES[0]);
  const [asking, setAsking] = useState<{ before: number; versions: number }>();
  const [outcome, setOutcome] = useState<{ text: string; failed: boolean }>();
  const report = async (work: () => Promise<string | undefined>) => {
    setOutcome(undefined);
    try {
      const text = await work();
      if (text !== undefined) setOutcome({ text, failed: false });
    } catch (error) {
      setOutcome({ text: describeFileProblem(error, t), failed: true });
    }
  };
  const ask = () =>
    report(async () => {
      const before = Date.now() - age * DAY_MS;
      const versions = await workspaces.countHistory(before);
      if (versions === 0) return t.storage.nothingToDelete(age);
      setAsking({ before, versions });
      return undefined;
    });
  const forget = (before: number) =>
    report(async () => {
      setAsking(undefined);
      const usedBefore = used ?? 0;
      await workspaces.forgetBefore(before);
      await storage.measure();
      const freed = Math.max(0, usedBefore - (storage.state.getState().used ?? usedBefore));
      return t.storage.historyDeleted(t.files.size(freed));
    });
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
        <Button variant="danger" onClick={() => void ask()}>
          {t.storage.deleteHistory}
        </Button>
      </div>
      <p className="text-muted">{t.storage.deleteHistoryHelp}</p>
      {outcome === undefined ? null : (
        <p
          ref={scrollIntoView}
          role={outcome.failed ? 'alert' : 'status'}
          className={outcome.failed ? 'text-failed' : 'text-done'}
        >
          {outcome.text}
        </p>
      )}
      {asking === undefined ? null : (
        <ConfirmDialog
          title={t.storage.confirmDelete(age)}
          description={t.storage.confirmDeleteDetail(asking.versions)}
          action={t.storage.deleteHistory}
          isDangerous
          onConfirm={() => void forget(asking.before)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </div>
  );
}
