'use client';

import { ArrowDown, ArrowUp, Pencil } from 'lucide-react';
import { useState } from 'react';
import { useConnections, useModels } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useModelTexts } from '#components/i18n/use-model-texts.ts';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Section } from '#components/ui/section.tsx';
import type { Connection } from '#studio/connections/connection.ts';
import { presetOf } from '#studio/connections/presets.ts';
import ConnectDialog from './connect-dialog.tsx';
import { EditConnection } from './edit-connection.tsx';
import { PassphraseDialog, UnlockDialog } from './passphrase-dialogs.tsx';
import { useConnectionEditor } from './use-connection-editor.ts';
import { useLacksKey } from './use-lacks-key.ts';

type OpenDialog = { type: 'connect' | 'passphrase' | 'unlock' } | { type: 'edit'; id: string };

/**
 * The section of the settings for models: the person's connections to model providers, the providers whose models the
 * studio's server offers, and how keys are protected.
 */
export function ModelsSection() {
  const t = useMessages();
  const texts = useModelTexts();
  const list = useModels((state) => state.list);
  const connections = useConnections((state) => state.connections);
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  const own = new Set(connections.map(({ id }) => id));
  const fromServer = (list?.models ?? []).filter(({ id, demo }) => !demo && !own.has(id.split('/')[0] ?? ''));
  const labels = [...new Set(fromServer.map(({ providerLabel }) => providerLabel))];
  const isAllowed = list?.personal.isAllowed !== false;
  return (
    <Section title={texts.connections.title} help={isAllowed ? texts.connections.help : texts.connections.off}>
      {connections.length === 0 ? (
        isAllowed ? (
          <p className="text-muted text-sm">{texts.connections.none}</p>
        ) : null
      ) : (
        <ul aria-label={texts.connections.list} className="grid gap-1">
          {connections.map((connection, index) => (
            <ConnectionRow
              key={connection.id}
              connection={connection}
              isFirst={index === 0}
              isLast={index === connections.length - 1}
              onEdit={() => setDialog({ type: 'edit', id: connection.id })}
            />
          ))}
        </ul>
      )}
      {isAllowed ? (
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" onClick={() => setDialog({ type: 'connect' })}>
            {t.empty.connect}
          </Button>
          <KeyProtection onOpen={(type) => setDialog({ type })} />
        </div>
      ) : null}
      {labels.length === 0 ? null : (
        <p className="text-muted text-sm">
          <span className="font-medium">{texts.connections.fromServer}:</span>{' '}
          {texts.connections.fromServerDetail(labels)}
        </p>
      )}
      {dialog?.type === 'connect' ? <ConnectDialog onClose={close} /> : null}
      {dialog?.type === 'passphrase' ? <PassphraseDialog onClose={close} /> : null}
      {dialog?.type === 'unlock' ? <UnlockDialog onClose={close} /> : null}
      {dialog?.type === 'edit' ? <EditConnection id={dialog.id} onClose={close} /> : null}
    </Section>
  );
}

interface ConnectionRowProps {
  connection: Connection;
  isFirst: boolean;
  isLast: boolean;
  onEdit(): void;
}

function ConnectionRow({ connection, isFirst, isLast, onEdit }: ConnectionRowProps) {
  const texts = useModelTexts();
  const editor = useConnectionEditor();
  const { id, name, preset, models } = connection;
  const provider = presetOf(preset)?.label ?? texts.connections.compatible;
  const shown = models.filter(({ isShown }) => isShown).length;
  const lacksKey = useLacksKey(connection);
  return (
    <li className="flex items-center gap-1 rounded-md border border-line py-1 pr-1 pl-3 text-sm">
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{name}</span>
        <span className={`block truncate text-xs ${lacksKey ? 'text-failed' : 'text-muted'}`}>
          {[
            ...(lacksKey ? [texts.connections.keyGone] : []),
            shown === 0
              ? texts.connections.noneShown(connection.baseURL ?? provider)
              : texts.connections.summary(connection.baseURL ?? provider, shown, models.length),
          ].join(' ')}
        </span>
      </span>
      {isFirst ? null : (
        <IconButton label={`${texts.connections.up}: ${name}`} size="small" onClick={() => void editor.move(id, -1)}>
          <ArrowUp aria-hidden size={14} />
        </IconButton>
      )}
      {isLast ? null : (
        <IconButton label={`${texts.connections.down}: ${name}`} size="small" onClick={() => void editor.move(id, 1)}>
          <ArrowDown aria-hidden size={14} />
        </IconButton>
      )}
      <IconButton label={texts.connections.editLabel(name)} size="small" onClick={onEdit}>
        <Pencil aria-hidden size={14} />
      </IconButton>
    </li>
  );
}

/**
 * The buttons to set, change, remove, or enter the passphrase of the keys. Renders nothing if there is neither a passphrase
 * nor a stored key, or if keys are only kept for as long as the page lasts.
 */
function KeyProtection({ onOpen }: { onOpen(dialog: 'passphrase' | 'unlock'): void }) {
  const texts = useModelTexts();
  const editor = useConnectionEditor();
  const { protection, isLocked } = useConnections((state) => state);
  const hasKeys = useConnections((state) => state.connections.some(({ hasKey }) => hasKey));
  if (protection === 'page' || (protection === 'browser' && !hasKeys)) return null;
  if (isLocked)
    return (
      <Button onClick={() => onOpen('unlock')} variant="primary">
        {texts.connections.unlock}
      </Button>
    );
  if (protection === 'browser')
    return <Button onClick={() => onOpen('passphrase')}>{texts.connections.passphraseSet}</Button>;
  return (
    <>
      <Button onClick={() => onOpen('passphrase')}>{texts.connections.passphraseChange}</Button>
      <Button onClick={() => void editor.protect(undefined)}>{texts.connections.passphraseRemove}</Button>
    </>
  );
}
