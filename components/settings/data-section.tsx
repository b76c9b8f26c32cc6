'use client';

import { type ChangeEvent, useRef, useState } from 'react';
import { describeArchiveProblem } from '#components/files/file-problem.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { type ReadBackup, readBackup, restoreBackup } from '#components/runtime/backup.ts';
import { download } from '#components/runtime/download.ts';
import { useSettings, useStudio, useThreads } from '#components/runtime/studio-provider.tsx';
import { Button } from '#components/ui/button.tsx';
import { ArchiveError } from '#lib/archive/archive-error.ts';
import { fromOpenAiJsonl, toOpenAiJsonl } from '#lib/threads/openai-jsonl.ts';
import { saveBackup } from './save-backup.ts';
import { Section } from './settings-section.tsx';

/** The person's data out of this browser and back. */
export function DataSection() {
  const t = useMessages();
  const studio = useStudio();
  const session = useThreads((state) => state.session);
  const defaultPrompt = useSettings((state) => state.systemPrompt);
  const backedUpAt = useSettings((state) => state.backedUpAt);
  const [read, setRead] = useState<ReadBackup>();
  const [outcome, setOutcome] = useState<{ text: string; failed: boolean }>();

  const attempt = async (work: () => Promise<string | undefined>) => {
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
      setOutcome({ text: t.settings.importFailed(reason), failed: true });
    }
  };
  const exportThread = () => {
    if (session === undefined) return;
    const { branch, thread } = session.getSnapshot();
    const jsonl = toOpenAiJsonl(branch, thread.settings.systemPrompt ?? defaultPrompt);
    download(new Blob([jsonl], { type: 'application/jsonl' }), `${thread.title || 'thread'}.jsonl`);
  };
  const restore = (backup: ReadBackup) =>
    attempt(async () => {
      await restoreBackup(studio, backup);
      setRead(undefined);
      return t.settings.restored(backup.manifest.threads.length, backup.fileCount);
    });

  return (
    <Section title={t.settings.data} help={t.settings.dataHelp}>
      <p className="text-muted text-sm">
        {backedUpAt === null
          ? t.settings.neverBackedUp
          : t.settings.lastBackup(new Date(backedUpAt).toLocaleString(t.locale))}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => void saveBackup(studio)}>
          {t.settings.saveBackup}
        </Button>
        <FileButton
          label={t.settings.restoreBackup}
          accept=".zip"
          onFile={(file) =>
            void attempt(async () => {
              setRead(await readBackup(studio, file));
              return undefined;
            })
          }
        />
        <Button onClick={exportThread} disabled={session === undefined}>
          {t.settings.exportThread}
        </Button>
        <FileButton
          label={t.settings.importThread}
          accept=".jsonl,.ndjson,.json,.txt"
          onFile={(file) =>
            void attempt(async () => {
              const { nodes, systemPrompt } = fromOpenAiJsonl(await file.text());
              await studio.threads.import(nodes, systemPrompt);
              return t.settings.imported;
            })
          }
        />
      </div>
      {read === undefined ? null : (
        <div className="rounded-md border border-line p-3 text-sm">
          <p className="font-medium">{t.settings.restoreTitle}</p>
          <p className="mt-1">{t.settings.restoreDetail(read.manifest.threads.length, read.fileCount)}</p>
          <div className="mt-2 flex gap-2">
            <Button variant="primary" onClick={() => void restore(read)}>
              {t.settings.restore}
            </Button>
            <Button onClick={() => setRead(undefined)}>{t.common.cancel}</Button>
          </div>
        </div>
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

function FileButton({ label, accept, onFile }: { label: string; accept: string; onFile(file: File): void }) {
  const input = useRef<HTMLInputElement>(null);
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    event.target.value = '';
    if (file !== undefined) onFile(file);
  };
  return (
    <>
      <input ref={input} type="file" accept={accept} aria-label={label} hidden onChange={onChange} />
      <Button onClick={() => input.current?.click()}>{label}</Button>
    </>
  );
}
