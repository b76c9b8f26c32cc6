'use client';

import { useState } from 'react';
import { describeArchiveProblem } from '#components/files/file-problem.ts';
import { useSettings, useStudio, useThreads } from '#components/hooks/studio-provider.tsx';
import { useBackupFailure, useSaveBackup } from '#components/hooks/use-save-backup.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { useSettingsTexts } from '#components/i18n/use-settings-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { FileButton } from '#components/ui/file-button.tsx';
import { Section } from '#components/ui/section.tsx';
import { withDamage } from '#lib/messages/readable.ts';
import { fromOpenAiJsonl, toOpenAiJsonl } from '#lib/threads/openai-jsonl.ts';
import { ArchiveError } from '#lib/vfs/archive/archive-error.ts';
import { planRestore, type ReadBackup, type RestorePlan, readBackup, restoreBackup } from '#studio/backup.ts';
import { importThread } from '#studio/import-thread.ts';
import { download } from '#studio/page/download.ts';

/**
 * The section of the settings in which the user saves and restores backups of their data, and exports the open thread or
 * imports one.
 */
export function DataSection() {
  const t = useAllMessages();
  const texts = useSettingsTexts();
  const studio = useStudio();
  const save = useSaveBackup();
  const backupFailure = useBackupFailure();
  const session = useThreads((state) => state.session);
  const defaultPrompt = useSettings((state) => state.systemPrompt);
  const backedUpAt = useSettings((state) => state.backedUpAt);
  const [read, setRead] = useState<{ backup: ReadBackup; plan: RestorePlan }>();
  const [outcome, setOutcome] = useState<{ text: string; failed: boolean }>();

  const attempt = async (work: () => Promise<string | undefined>, failed = texts.importFailed) => {
    try {
      const text = await work();
      setOutcome(text === undefined ? undefined : { text, failed: false });
    } catch (error) {
      const reason =
        error instanceof ArchiveError
          ? describeArchiveProblem(error.problem, t)
          : error instanceof Error
            ? error.message
            : String(error);
      setOutcome({ text: failed(reason), failed: true });
    }
  };
  const exportThread = () => {
    if (session === undefined) return;
    const { branch, thread } = session.getSnapshot();
    const jsonl = toOpenAiJsonl(branch.map(withDamage), thread.settings.systemPrompt ?? defaultPrompt);
    download(new Blob([jsonl], { type: 'application/jsonl' }), `${thread.title || 'thread'}.jsonl`);
  };
  const restore = (backup: ReadBackup) =>
    attempt(async () => {
      const { threads, files, connections, sources } = await restoreBackup(studio, backup);
      setRead(undefined);
      return [
        texts.restored(threads, files),
        ...(connections === 0 ? [] : [texts.restoredConnections(connections)]),
        ...(sources === 0 ? [] : [texts.restoredSources(sources)]),
      ].join(' ');
    }, texts.restoreFailed);

  return (
    <Section title={texts.data} help={texts.dataHelp}>
      <p className="text-muted text-sm">
        {backedUpAt === null ? texts.neverBackedUp : texts.lastBackup(new Date(backedUpAt).toLocaleString(t.locale))}
      </p>
      {backupFailure === undefined ? null : (
        <p role="alert" className="break-words text-failed text-sm">
          {texts.backupFailed(backupFailure)}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={save}>
          {t.settings.saveBackup}
        </Button>
        <FileButton
          label={texts.restoreBackup}
          accept=".zip"
          onFile={(file) =>
            void attempt(async () => {
              const backup = await readBackup(studio, file);
              setRead({ backup, plan: await planRestore(studio, backup) });
              return undefined;
            })
          }
        />
        <Button onClick={exportThread} disabled={session === undefined}>
          {texts.exportThread}
        </Button>
        <FileButton
          label={texts.importThread}
          accept=".jsonl,.ndjson,.json,.txt"
          onFile={(file) =>
            void attempt(async () => {
              const { nodes, systemPrompt } = fromOpenAiJsonl(await file.text());
              await importThread(studio.threads, nodes, systemPrompt);
              return texts.imported;
            })
          }
        />
      </div>
      {read === undefined ? null : (
        <RestoreQuestion
          backup={read.backup}
          plan={read.plan}
          onRestore={() => void restore(read.backup)}
          onCancel={() => setRead(undefined)}
        />
      )}
      {outcome === undefined ? null : (
        <p
          role={outcome.failed ? 'alert' : 'status'}
          className={`text-sm ${outcome.failed ? 'text-failed' : 'text-done'}`}
        >
          {outcome.text}
        </p>
      )}
    </Section>
  );
}

interface RestoreQuestionProps {
  backup: ReadBackup;
  plan: RestorePlan;
  onRestore(): void;
  onCancel(): void;
}

/** Asks before a backup is restored: shows what it contains, how each thing is restored, and what is left out. */
function RestoreQuestion({ backup, plan, onRestore, onCancel }: RestoreQuestionProps) {
  const t = useAllMessages();
  const texts = useSettingsTexts();
  const { manifest, fileCount } = backup;
  const { unfinished, ...leftOut } = plan.leftOut;
  const date = new Date(manifest.createdAt).toLocaleString(t.locale);
  return (
    <div className="rounded-md border border-line p-3 text-sm">
      <p className="font-medium">{texts.restoreTitle}</p>
      <p className="mt-1">{texts.restoreDetail(manifest.threads.length, fileCount, date)}</p>
      <ul className="mt-1 list-disc pl-5">
        <li>{texts.restoreBeside}</li>
        {plan.presentThreads === 0 ? null : <li>{texts.restorePresent(plan.presentThreads)}</li>}
        {unfinished === 0 ? null : <li>{texts.restoreUnfinished(unfinished)}</li>}
        <li>{texts.restoreSettings}</li>
        {Object.values(leftOut).every((count) => count === 0) ? null : <li>{texts.restoreLeftOut(leftOut)}</li>}
      </ul>
      <div className="mt-2 flex gap-2">
        <Button variant="primary" onClick={onRestore}>
          {texts.restore}
        </Button>
        <Button onClick={onCancel}>{t.common.cancel}</Button>
      </div>
    </div>
  );
}
