'use client';

import { Info } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { MCP_LIMITS } from '#lib/sources/mcp/limits.ts';
import { TOOL_SERVER, toolsetOf } from '#lib/tools/toolset-names.ts';
import type { McpServer } from '#studio/sources/mcp/mcp-server.ts';
import type { McpServers } from '#studio/sources/mcp/mcp-servers.ts';
import { SourceRow } from '../source-row.tsx';
import { SourceSection } from '../source-section.tsx';
import { useSources } from '../use-sources.ts';
import { AddServer } from './add-server.tsx';
import { EditServer } from './edit-server.tsx';
import { ImportServers } from './import-servers.tsx';
import { ServerLogin } from './server-login.tsx';
import { isAboutLogin, serverProblem } from './server-problem.ts';
import { StudioServer } from './studio-server.tsx';

type OpenDialog = { type: 'add' | 'import' } | { type: 'edit' | 'login'; name: string };

/** The tool servers of the person and the operator, each with its number of tools, their tokens, and its problem. */
export function ServersSection() {
  const texts = useServerTexts();
  const { sources: servers, list } = useSources('servers');
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  // Connects again to servers that failed before, for example because the network was down.
  useEffect(() => servers?.connectAll(), [servers]);
  if (servers === undefined) return null;
  const isFull = list.filter(({ isFromStudio }) => !isFromStudio).length >= MCP_LIMITS.servers;
  const name = dialog !== undefined && 'name' in dialog ? dialog.name : undefined;
  const shown = list.find(({ config }) => config.name === name);
  return (
    <SourceSection
      texts={texts}
      rows={list.map((server) => (
        <ServerRow
          key={server.config.name}
          server={server}
          servers={servers}
          onEdit={() => setDialog({ type: 'edit', name: server.config.name })}
          onLogin={() => setDialog({ type: 'login', name: server.config.name })}
        />
      ))}
      max={MCP_LIMITS.servers}
      isFull={isFull}
      onAdd={() => setDialog({ type: 'add' })}
      onImport={() => setDialog({ type: 'import' })}
    >
      {dialog?.type === 'add' ? <AddServer servers={servers} list={list} onClose={close} /> : null}
      {dialog?.type === 'import' ? <ImportServers servers={servers} list={list} onClose={close} /> : null}
      {dialog?.type === 'login' ? <ServerLogin servers={servers} server={shown} onClose={close} /> : null}
      {dialog?.type !== 'edit' ? null : shown?.isFromStudio === true ? (
        <StudioServer server={shown} onClose={close} />
      ) : (
        <EditServer servers={servers} server={shown} onClose={close} />
      )}
    </SourceSection>
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
  const { config, status, listing, problem, refused, tokens, isFromStudio } = server;
  const { name, isOn } = config;
  const tools = (listing?.tools.length ?? 0) - refused.length + (listing?.refused.length ?? 0);
  return (
    <SourceRow
      {...{ name, isOn, onEdit }}
      toolset={toolsetOf(TOOL_SERVER, name)}
      sources={servers}
      label={texts.isOn(name)}
      about={[
        isFromStudio ? texts.fromStudio : new URL(config.url).host,
        texts.states[status],
        ...(isOn && listing !== undefined ? [texts.summary(tools, tokens.toLocaleString(t.locale))] : []),
        ...(isOn && refused.length > 0 ? [texts.notOffered(refused.length)] : []),
      ]}
      {...(isFromStudio ? { editLabel: texts.details(name), EditIcon: Info } : { editLabel: texts.edit(name) })}
    >
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
    </SourceRow>
  );
}
