'use client';

import { type FormEvent, useState } from 'react';

import { useMessages } from '#components/i18n/i18n.tsx';
import { useModelTexts } from '#components/i18n/use-model-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/confirm-dialog.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { useConnectionEditor } from './use-connection-editor.ts';

/** The minimum length of a passphrase, in characters. */
const PASSPHRASE_MIN = 8;

/** Asks for a new passphrase, and protects the person's keys with it. */
export function PassphraseDialog({ onClose }: { onClose(): void }) {
  const t = useMessages();
  const texts = useModelTexts();
  const editor = useConnectionEditor();
  return (
    <PassphraseForm
      title={texts.connections.passphraseTitle}
      isNew
      description={texts.connections.passphraseHelp}
      action={t.common.save}
      onSubmit={async (passphrase) => {
        try {
          await editor.protect(passphrase);
          return undefined;
        } catch {
          return texts.connections.protectFailed;
        }
      }}
      onClose={onClose}
    />
  );
}

/** Asks for the passphrase, and unlocks the person's keys with it. A person who has forgotten it can delete the keys. */
export function UnlockDialog({ onClose }: { onClose(): void }) {
  const t = useMessages();
  const texts = useModelTexts();
  const editor = useConnectionEditor();
  const [isForgotten, setForgotten] = useState(false);
  if (isForgotten)
    return (
      <ConfirmDialog
        title={texts.connections.forgetTitle}
        description={texts.connections.forgetDetail}
        action={t.common.delete}
        isDangerous
        onConfirm={() => void editor.forgetKeys().then(onClose)}
        onClose={() => setForgotten(false)}
      />
    );
  return (
    <PassphraseForm
      title={texts.connections.unlockTitle}
      action={texts.connections.unlockAction}
      onSubmit={async (passphrase) => {
        try {
          return (await editor.unlock(passphrase)) ? undefined : texts.connections.wrongPassphrase;
        } catch {
          return texts.connections.unlockFailed;
        }
      }}
      onForgotten={() => setForgotten(true)}
      onClose={onClose}
    />
  );
}

interface PassphraseFormProps {
  title: string;
  description?: string;
  /** Whether the passphrase is a new one, which must be typed twice: after a slip, nothing could be unlocked. */
  isNew?: boolean;
  action: string;
  /** Resolves with a text about what is wrong, or with undefined if the dialog can be closed. */
  onSubmit(passphrase: string): Promise<string | undefined>;
  onForgotten?(): void;
  onClose(): void;
}

function PassphraseForm(props: PassphraseFormProps) {
  const { title, description, isNew = false, action, onSubmit, onForgotten, onClose } = props;
  const t = useMessages();
  const texts = useModelTexts();
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isNew && passphrase.length < PASSPHRASE_MIN) return setProblem(texts.connections.passphraseShort);
    if (isNew && again !== passphrase) return setProblem(texts.connections.passphrasesDiffer);
    setBusy(true);
    const wrong = await onSubmit(passphrase);
    setBusy(false);
    if (wrong === undefined) onClose();
    else setProblem(wrong);
  };
  return (
    <Dialog open onOpenChange={onClose} title={title} {...(description !== undefined && { description })}>
      <form onSubmit={(event) => void submit(event)} className="grid gap-3">
        <Field
          label={texts.connections.passphrase}
          type="password"
          value={passphrase}
          onChange={(event) => setPassphrase(event.target.value)}
          data-initial-focus
        />
        {isNew ? (
          <Field
            label={texts.connections.passphraseAgain}
            type="password"
            value={again}
            onChange={(event) => setAgain(event.target.value)}
          />
        ) : null}
        {problem === undefined ? null : (
          <p role="alert" className="text-failed text-sm">
            {problem}
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          {onForgotten === undefined ? null : (
            <Button variant="danger" className="mr-auto" onClick={onForgotten}>
              {texts.connections.forget}
            </Button>
          )}
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
