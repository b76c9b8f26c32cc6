'use client';

import { type FormEvent, useState } from 'react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { sourceUrlSchema } from '#lib/sources/mcp/server-config.ts';
import { TOOL_SERVER, toolsetOf } from '#lib/tools/toolset-names.ts';
import type { McpServer } from '#studio/sources/mcp/mcp-server.ts';
import type { McpServers } from '#studio/sources/mcp/mcp-servers.ts';
import { SourceDialog } from '../source-dialog.tsx';
import { storingFault } from '../storing-fault.ts';
import { filledIn, HeadersEditor, headersFault, type TypedHeader } from './headers-editor.tsx';
import { LoggedIn } from './logged-in.tsx';
import { ServerTools } from './server-tools.tsx';
import { typedAddress } from './typed-address.ts';

interface EditServerProps {
  servers: McpServers;
  /** The tool server; undefined if it was deleted, possibly in another tab. */
  server: McpServer | undefined;
  onClose(): void;
}

/** A dialog to change a tool server's address and headers, log out of it, see what it offers, and delete it. */
export function EditServer({ servers, server, onClose }: EditServerProps) {
  const texts = useServerTexts();
  if (server === undefined) return null;
  const { name } = server.config;
  return (
    <SourceDialog
      title={texts.editTitle(name)}
      {...{ name, texts, onClose }}
      toolset={toolsetOf(TOOL_SERVER, name)}
      sources={servers}
    >
      {(onDelete) => <EditForm servers={servers} server={server} onDelete={onDelete} onClose={onClose} />}
    </SourceDialog>
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
  const [url, setUrl] = useState(config.url);
  const [fault, setFault] = useState<string>();
  const address = typedAddress(url);
  const hasMoved = address !== config.url;
  const isChanged =
    headers.some(({ value }) => value !== '') ||
    headers.map(({ name }) => name.trim()).join('\n') !== config.headers.join('\n');
  const names = headers.map(({ name }) => name.trim()).filter((name) => name !== '');
  const faultOf = (): string | undefined => {
    if (!sourceUrlSchema.safeParse(address).success) return texts.faults.address;
    // The stored values of headers must not go to the new address, so they have to be entered again.
    const lacking = hasMoved && headers.find(({ name, value }) => name.trim() !== '' && value.trim() === '');
    return lacking ? texts.faults.headerAgain(lacking.name.trim()) : headersFault(headers, texts);
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!isChanged && !hasMoved) return onClose();
    const found = faultOf();
    setFault(found);
    if (found !== undefined) return;
    const values = filledIn(headers);
    const stored = hasMoved
      ? servers.move(config.name, address, values)
      : servers.changeHeaders(config.name, names, values);
    stored.then(onClose, (error: unknown) => setFault(storingFault(error, texts)));
  };
  return (
    <form onSubmit={save} className="grid grid-cols-1 gap-3 text-sm">
      <div>
        <Field label={texts.address} value={url} inputMode="url" onChange={(event) => setUrl(event.target.value)} />
        <p className="mt-1 break-words text-muted text-xs">
          {hasMoved
            ? texts.moveHelp
            : listing && [texts.reachedBy[listing.route], texts.eras[listing.era]].filter(Boolean).join(' · ')}
        </p>
      </div>
      {config.login === undefined ? null : <LoggedIn servers={servers} config={config} issuer={config.login} />}
      <HeadersEditor headers={headers} onChange={setHeaders} {...(!hasMoved && { placeholder: texts.keptValue })} />
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
