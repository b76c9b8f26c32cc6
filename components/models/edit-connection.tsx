'use client';

import { type FormEvent, useState } from 'react';
import { useConnections, useStudio } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useModelTexts } from '#components/i18n/use-model-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/confirm-dialog.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import type { Connection } from '#studio/connections/connection.ts';
import { describeConnectionProblem } from './connection-problem.ts';
import { ModelChoice } from './model-choice.tsx';
import { useConnectionEditor } from './use-connection-editor.ts';

/** The longest name of a connection, in characters. */
const NAME_MAX = 60;

/** Changes a connection's name, key and models, or deletes it. */
export function EditConnection({ id, onClose }: { id: string; onClose(): void }) {
  const texts = useModelTexts();
  const connection = useConnections((state) => state.connections.find((one) => one.id === id));
  // Deleted, possibly in another tab.
  if (connection === undefined) return null;
  return (
    <Dialog open onOpenChange={onClose} title={texts.connections.editTitle(connection.name)}>
      <EditForm connection={connection} onClose={onClose} />
    </Dialog>
  );
}

function EditForm({ connection, onClose }: { connection: Connection; onClose(): void }) {
  const t = useMessages();
  const texts = useModelTexts();
  const { connections } = useStudio();
  const editor = useConnectionEditor();
  const [name, setName] = useState(connection.name);
  const [key, setKey] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const [outcome, setOutcome] = useState<{ text: string; failed: boolean }>();
  const attempt = async (work: () => Promise<string | undefined>) => {
    setBusy(true);
    try {
      const text = await work();
      setOutcome(text === undefined ? undefined : { text, failed: false });
      return true;
    } catch (error) {
      const { text, detail } = describeConnectionProblem(error, texts);
      setOutcome({ text: `${text} ${detail}`, failed: true });
      return false;
    } finally {
      setBusy(false);
    }
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const isSaved = await attempt(async () => {
      if (key.trim() !== '') {
        await editor.test(connection, key.trim());
        await editor.changeKey(connection, key.trim());
      }
      await editor.change(connection.id, { name: name.trim() || connection.name });
      return undefined;
    });
    if (isSaved) onClose();
  };
  const refresh = () =>
    attempt(async () => {
      await editor.refresh(connection);
      const now = connections.state.getState().connections.find(({ id }) => id === connection.id);
      return texts.connections.refreshed(now?.models.length ?? 0);
    });
  if (isDeleting)
    return (
      <ConfirmDialog
        title={texts.connections.removeTitle(connection.name)}
        description={texts.connections.removeDetail}
        action={texts.connections.remove}
        isDangerous
        onConfirm={() => void editor.remove(connection.id).then(onClose)}
        onClose={() => setDeleting(false)}
      />
    );
  return (
    <form onSubmit={(event) => void save(event)} className="grid gap-3 text-sm">
      <Field
        label={texts.connections.name}
        value={name}
        maxLength={NAME_MAX}
        onChange={(event) => setName(event.target.value)}
        data-initial-focus
      />
      {connection.baseURL === undefined ? null : (
        <p className="break-words text-muted text-xs">
          {texts.connections.address}: {connection.baseURL}
        </p>
      )}
      <Field
        label={connection.hasKey ? texts.connections.newKey : texts.connections.key}
        value={key}
        onChange={(event) => setKey(event.target.value)}
        isSecret={key !== ''}
      />
      <ModelChoice connection={connection} />
      {outcome === undefined ? null : (
        <p role={outcome.failed ? 'alert' : 'status'} className={`break-words ${outcome.failed ? 'text-failed' : ''}`}>
          {outcome.text}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="danger" className="mr-auto" onClick={() => setDeleting(true)}>
          {texts.connections.remove}
        </Button>
        <Button disabled={isBusy} onClick={() => void refresh()}>
          {texts.connections.refresh}
        </Button>
        <Button type="submit" variant="primary" disabled={isBusy}>
          {t.common.save}
        </Button>
      </div>
    </form>
  );
}
