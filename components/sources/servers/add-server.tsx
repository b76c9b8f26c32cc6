'use client';

import { type FormEvent, useState } from 'react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { nameFor, SOURCE_NAME, sourceUrlSchema, toolNameOf } from '#lib/sources/mcp/server-config.ts';
import { TOOL_SERVER, toolsetOf } from '#lib/tools/toolset-names.ts';
import type { McpServer } from '#studio/sources/mcp/mcp-server.ts';
import type { McpServers } from '#studio/sources/mcp/mcp-servers.ts';
import { storingFault } from '../storing-fault.ts';
import { usePutToUse } from '../use-put-to-use.ts';
import { filledIn, HeadersEditor, headersFault, type TypedHeader } from './headers-editor.tsx';
import { typedAddress } from './typed-address.ts';

interface AddServerProps {
  servers: McpServers;
  list: readonly McpServer[];
  onClose(): void;
}

/** A dialog to add a tool server by its address. The studio then connects to it, and its row shows the outcome. */
export function AddServer({ servers, list, onClose }: AddServerProps) {
  const t = useMessages();
  const texts = useServerTexts();
  const putToUse = usePutToUse();
  const [url, setUrl] = useState('');
  const [typedName, setName] = useState<string>();
  const [headers, setHeaders] = useState<readonly TypedHeader[]>([]);
  const [fault, setFault] = useState<string>();
  const address = typedAddress(url);
  const known = new Set(list.map(({ config }) => config.name));
  const name = typedName ?? (URL.canParse(address) ? nameFor(labelOf(new URL(address)), known) : '');
  const faultOf = (): string | undefined => {
    if (!sourceUrlSchema.safeParse(address).success) return texts.faults.address;
    if (!SOURCE_NAME.test(name)) return texts.faults.name;
    return known.has(name) ? texts.faults.taken(name) : headersFault(headers, texts);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = faultOf();
    setFault(found);
    if (found !== undefined) return;
    servers.add({ name, url: address }, filledIn(headers)).then(
      () => {
        putToUse(toolsetOf(TOOL_SERVER, name));
        void servers.connect(name);
        onClose();
      },
      (error: unknown) => setFault(storingFault(error, texts)),
    );
  };
  return (
    <Dialog open onOpenChange={onClose} title={texts.addTitle}>
      <form onSubmit={submit} className="grid gap-3">
        <Field
          label={texts.address}
          placeholder={texts.addressHint}
          value={url}
          inputMode="url"
          onChange={(event) => setUrl(event.target.value)}
          data-initial-focus
        />
        <div>
          <Field label={texts.name} value={name} maxLength={24} onChange={(event) => setName(event.target.value)} />
          <p className="mt-1 text-muted text-xs">{texts.nameHelp(toolNameOf(name || 'name', '…'))}</p>
        </div>
        <HeadersEditor headers={headers} onChange={setHeaders} />
        {fault === undefined ? null : (
          <p role="alert" className="text-failed text-sm">
            {fault}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" variant="primary">
            {texts.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Derives a tool server's name from its address: the most telling part of its host, such as `example` of `mcp.example.com`. */
function labelOf({ hostname }: URL): string {
  const labels = hostname.split('.').filter((label) => !['www', 'mcp', 'api', 'app'].includes(label));
  return /^[\d.]+$/.test(hostname) ? 'server' : (labels[Math.max(0, labels.length - 2)] ?? 'server');
}
