'use client';

import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import { Button } from '#components/ui/button.tsx';
import type { ServerConfig } from '#lib/sources/mcp/server-config.ts';
import type { McpServers } from '#studio/sources/mcp/mcp-servers.ts';
import { hostOf } from './host-of.ts';

interface LoggedInProps {
  servers: McpServers;
  config: ServerConfig;
  /** The address of the authorization server where the person has logged in. */
  issuer: string;
}

/** Shows at which authorization server (`issuer`) the person is logged in for a tool server, and a button to log out. */
export function LoggedIn({ servers, config, issuer }: LoggedInProps) {
  const texts = useServerTexts();
  const logOut = async () => {
    await servers.logins.end(config);
    await servers.changeLogin(config.name, undefined);
  };
  return (
    <p className="flex flex-wrap items-center gap-2">
      <span className="min-w-0 flex-1 break-words">{texts.login.at(hostOf(issuer))}</span>
      <Button onClick={() => void logOut()}>{texts.login.logOut}</Button>
    </p>
  );
}
