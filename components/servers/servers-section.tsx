'use client';

import { Info, Pencil } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Section } from '#components/ui/section.tsx';
import { Switch } from '#components/ui/switch.tsx';
import { MCP_LIMITS } from '#lib/sources/mcp/limits.ts';
import { toolsetOf } from '#lib/tools/toolset-names.ts';
import type { McpServer } from '#studio/sources/mcp/mcp-server.ts';
import type { McpServers } from '#studio/sources/mcp/mcp-servers.ts';
import { AddServer } from './add-server.tsx';
import { EditServer } from './edit-server.tsx';
import { ImportServers } from './import-servers.tsx';
import { ServerLogin } from './server-login.tsx';
import { isAboutLogin, serverProblem } from './server-problem.ts';
import { StudioServer } from './studio-server.tsx';
import { usePutToUse } from './use-put-to-use.ts';
import { useServers } from './use-servers.ts';

type OpenDialog = { type: 'add' | 'import' } | { type: 'edit' | 'login'; name: string };

/** The tool servers of the person, and of the studio's operator: what each offers, costs, and fails with. */
export function ServersSection() {
  const texts = useServerTexts();
  const { servers, list } = useServers();
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  // The list should be up to date, for example after the network has come back.
  useEffect(() => servers?.connectAll(), [servers]);
  if (servers === undefined) return null;
  const isFull = list.filter(({ isFromStudio }) => !isFromStudio).length >= MCP_LIMITS.servers;
  const name = dialog !== undefined && 'name' in dialog ? dialog.name : undefined;
  const shown = list.find(({ config }) => config.name === name);
  return (
    <Section title={texts.title} help={texts.help}>
      {list.length === 0 ? (
        <p className="text-muted text-sm">{texts.none}</p>
      ) : (
        <ul aria-label={texts.list} className="grid gap-1">
          {list.map((server) => (
            <ServerRow
              key={server.config.name}
              server={server}
              servers={servers}
              onEdit={() => setDialog({ type: 'edit', name: server.config.name })}
              onLogin={() => setDialog({ type: 'login', name: server.config.name })}
            />
          ))}
        </ul>
      )}
      {isFull ? (
        <p className="text-muted text-sm">{texts.full(MCP_LIMITS.servers)}</p>
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setDialog({ type: 'add' })}>{texts.add}</Button>
          <Button onClick={() => setDialog({ type: 'import' })}>{texts.import}</Button>
        </div>
      )}
      {dialog?.type === 'add' ? <AddServer servers={servers} list={list} onClose={close} /> : null}
      {dialog?.type === 'import' ? <ImportServers servers={servers} list={list} onClose={close} /> : null}
      {dialog?.type === 'login' ? <ServerLogin servers={servers} server={shown} onClose={close} /> : null}
      {dialog?.type !== 'edit' ? null : shown?.isFromStudio === true ? (
        <StudioServer server={shown} onClose={close} />
      ) : (
        <EditServer servers={servers} server={shown} onClose={close} />
      )}
    </Section>
  );
}

interface ServerRowProps {
  server: McpServer;
  servers: McpServers;
  onEdit(): void;
  onLogin(): void;
}

function ServerRow({ server, servers, onEdit, onLogin }: ServerRowProps) {
  const t = useMessages();
  const texts = useServerTexts();
  const putToUse = usePutToUse();
  const { config, status, listing, problem, refused, tokens, isFromStudio } = server;
  const { name, isOn } = config;
  const tools = (listing?.tools.length ?? 0) - refused.length + (listing?.refused.length ?? 0);
  const about = [
    texts.states[status],
    ...(isOn && listing !== undefined ? [texts.summary(tools, tokens.toLocaleString(t.locale))] : []),
    ...(isOn && refused.length > 0 ? [texts.notOffered(refused.length)] : []),
  ];
  return (
    <li className="rounded-md border border-line p-1 text-sm">
      <div className="flex items-center gap-1">
        <div className="min-w-0 flex-1">
          <Switch
            label={texts.isOn(name)}
            shown={name}
            help={`${isFromStudio ? texts.fromStudio : new URL(config.url).host} · ${about.join(' · ')}`}
            isOn={isOn}
            onChange={() => {
              void servers.turn(name, !isOn);
              if (!isOn) putToUse(toolsetOf(name));
            }}
          />
        </div>
        <IconButton label={isFromStudio ? texts.details(name) : texts.edit(name)} size="small" onClick={onEdit}>
          {isFromStudio ? <Info aria-hidden size={14} /> : <Pencil aria-hidden size={14} />}
        </IconButton>
      </div>
      {server.hidesStudioServer ? <p className="px-2 pb-1 text-muted">{texts.hidesStudioServer(name)}</p> : null}
      {problem === undefined || !isOn ? null : (
        <p role="alert" className="flex flex-wrap items-center gap-2 px-2 pb-1 text-failed">
          <span className="min-w-0 flex-1 break-words">{serverProblem(problem, texts, config.login)}</span>
          {isAboutLogin(problem) ? (
            <Button onClick={onLogin}>{config.login === undefined ? texts.login.logIn : texts.login.again}</Button>
          ) : null}
          <Button onClick={() => void servers.connect(name)}>{texts.retry}</Button>
        </p>
      )}
    </li>
  );
}
