'use client';

import { type FormEvent, useState } from 'react';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/confirm-dialog.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { toolsetOf } from '#lib/tools/toolset-names.ts';
import type { McpServer } from '#studio/mcp/mcp-server.ts';
import type { McpServers } from '#studio/mcp/mcp-servers.ts';
import { withoutSource } from '#studio/settings.ts';
import { filledIn, HeadersEditor, headersFault, type TypedHeader } from './headers-editor.tsx';
import { LoggedIn } from './logged-in.tsx';
import { ServerTools } from './server-tools.tsx';
import { storingFault } from './storing-fault.ts';

interface EditServerProps {
  servers: McpServers;
  /** Undefined if it was deleted, possibly in another tab. */
  server: McpServer | undefined;
  onClose(): void;
}

/** What a server offers, its headers, and a way to delete it. */
export function EditServer({ servers, server, onClose }: EditServerProps) {
  const texts = useServerTexts();
  const { settings } = useStudio();
  const [isDeleting, setDeleting] = useState(false);
  if (server === undefined) return null;
  const { name } = server.config;
  const remove = async () => {
    await servers.remove(name);
    await settings.change(withoutSource(settings.getState(), toolsetOf(name)));
    onClose();
  };
  if (isDeleting)
    return (
      <ConfirmDialog
        title={texts.deleteTitle(name)}
        description={texts.deleteDetail}
        action={texts.delete}
        isDangerous
        onConfirm={() => void remove()}
        onClose={() => setDeleting(false)}
      />
    );
  return (
    <Dialog open onOpenChange={onClose} title={texts.editTitle(name)}>
      <EditForm servers={servers} server={server} onDelete={() => setDeleting(true)} onClose={onClose} />
    </Dialog>
  );
}

function EditForm({
  servers,
  server,
  onDelete,
  onClose,
}: Required<EditServerProps> & { server: McpServer; onDelete(): void }) {
  const t = useMessages();
  const texts = useServerTexts();
  const { config, listing } = server;
  const [headers, setHeaders] = useState<readonly TypedHeader[]>(() =>
    config.headers.map((name, id) => ({ id, name, value: '' })),
  );
  const [fault, setFault] = useState<string>();
  const isChanged =
    headers.some(({ value }) => value !== '') ||
    headers.map(({ name }) => name.trim()).join('\n') !== config.headers.join('\n');
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!isChanged) return onClose();
    const found = headersFault(headers, texts);
    setFault(found);
    if (found !== undefined) return;
    const names = headers.map(({ name }) => name.trim()).filter((name) => name !== '');
    servers
      .changeHeaders(config.name, names, filledIn(headers))
      .then(onClose, (error: unknown) => setFault(storingFault(error, texts)));
  };
  return (
    <form onSubmit={save} className="grid gap-3 text-sm">
      <p className="break-words text-muted">
        {[config.url, ...(listing === undefined ? [] : [texts.reachedBy[listing.route], texts.eras[listing.era]])]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {config.login === undefined ? null : <LoggedIn servers={servers} config={config} issuer={config.login} />}
      <HeadersEditor headers={headers} onChange={setHeaders} placeholder={texts.keptValue} />
      <ServerTools server={server} />
      {fault === undefined ? null : (
        <p role="alert" className="text-failed">
          {fault}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="danger" className="mr-auto" onClick={onDelete}>
          {texts.delete}
        </Button>
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button type="submit" variant="primary" data-initial-focus>
          {t.common.save}
        </Button>
      </div>
    </form>
  );
}
