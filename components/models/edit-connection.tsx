'use client';

import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useConnections, useStudio } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useModelTexts } from '#components/i18n/use-model-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/confirm-dialog.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import type { Connection } from '#studio/connections/connection.ts';
import { pasted } from '#studio/connections/presets.ts';
import { describeConnectionProblem } from './connection-problem.ts';
import { ModelChoice } from './model-choice.tsx';
import { useConnectionEditor } from './use-connection-editor.ts';
import { useLacksKey } from './use-lacks-key.ts';

/** The maximum length of a connection's name, in characters. */
const NAME_MAX = 60;

const INITIAL_FOCUS = { 'data-initial-focus': true };

interface EditConnectionProps {
  id: string;
  /** Whether the key's field has the focus first, because the key has to be changed. */
  asksKey?: boolean;
  onClose(): void;
}

/**
 * A dialog to change the name, key, and models of a connection to a model provider, or to delete it. `asksKey`: whether the
 * key's field has the focus first. Renders nothing if the connection was deleted.
 */
export function EditConnection({ id, asksKey = false, onClose }: EditConnectionProps) {
  const texts = useModelTexts();
  const connection = useConnections((state) => state.connections.find((one) => one.id === id));
  // The connection was deleted, possibly in another tab.
  if (connection === undefined) return null;
  return (
    <Dialog open onOpenChange={onClose} title={texts.connections.editTitle(connection.name)}>
      <EditForm connection={connection} asksKey={asksKey} onClose={onClose} />
    </Dialog>
  );
}

interface EditFormProps {
  connection: Connection;
  asksKey: boolean;
  onClose(): void;
}

function EditForm({ connection, asksKey, onClose }: EditFormProps) {
  const t = useMessages();
  const texts = useModelTexts();
  const { connections } = useStudio();
  const editor = useConnectionEditor();
  const [name, setName] = useState(connection.name);
  const [key, setKey] = useState('');
  const isMissing = useLacksKey(connection);
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
  /**
   * Stores the typed key, if any, once the provider has accepted it. Rejects if the provider refuses the key or cannot be
   * reached.
   */
  const keepKey = async () => {
    const typed = pasted(key);
    if (typed === '') return;
    await editor.test(connection, typed);
    await editor.changeKey(connection, typed);
    setKey('');
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const isSaved = await attempt(async () => {
      await keepKey();
      return undefined;
    });
    if (isSaved) onClose();
  };
  // Like the choice of models, the name is kept however the dialog is closed.
  const names = useRef({ typed: name, stored: connection.name });
  names.current = { typed: name.trim(), stored: connection.name };
  useEffect(
    () => () => {
      const { typed, stored } = names.current;
      if (typed !== '' && typed !== stored) void editor.change(connection.id, { name: typed });
    },
    [editor, connection.id],
  );
  const restorable = connection.models.some(({ isShown }) => isShown)
    ? []
    : connection.models.filter(({ wasShown }) => wasShown === true);
  const refresh = () =>
    attempt(async () => {
      await keepKey();
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
        {...(!asksKey && INITIAL_FOCUS)}
      />
      {connection.baseURL === undefined ? null : (
        <p className="text-muted text-xs">{texts.connections.at(connection.baseURL)}</p>
      )}
      <Field
        label={connection.hasKey && !isMissing ? texts.connections.newKey : texts.connections.key}
        value={key}
        onChange={(event) => setKey(event.target.value)}
        isSecret={key !== ''}
        {...(asksKey && INITIAL_FOCUS)}
      />
      {isMissing ? <p className="text-failed">{texts.connections.keyMissing}</p> : null}
      {restorable.length === 0 ? null : (
        <Button onClick={() => void editor.selectRestored(connection.id)}>
          {texts.connections.selectRestored(restorable.length)}
        </Button>
      )}
      <ModelChoice connection={connection} />
      {outcome === undefined ? null : (
        <p role={outcome.failed ? 'alert' : 'status'} className={outcome.failed ? 'text-failed' : ''}>
          {outcome.text}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="danger" className="mr-auto" onClick={() => setDeleting(true)}>
          {texts.connections.remove}
        </Button>
        <Button isBusy={isBusy} onClick={() => void refresh()}>
          {texts.connections.refresh}
        </Button>
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {t.common.save}
        </Button>
      </div>
    </form>
  );
}
