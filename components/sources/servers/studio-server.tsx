'use client';

import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import type { McpServer } from '#studio/sources/mcp/mcp-server.ts';
import { ServerTools } from './server-tools.tsx';

/** A dialog with what a tool server of the studio's operator offers. The person cannot change such a server. */
export function StudioServer({ server, onClose }: { server: McpServer | undefined; onClose(): void }) {
  const texts = useServerTexts();
  if (server === undefined) return null;
  const { config, listing, title } = server;
  const about = [...(title === undefined ? [] : [visibleText(title)]), texts.fromStudioHelp];
  return (
    <Dialog open onOpenChange={onClose} title={texts.editTitle(config.name)}>
      <div className="grid gap-3 text-sm">
        <p className="break-words text-muted">{about.join(' · ')}</p>
        <ServerTools server={server} />
        {listing === undefined ? <p className="text-muted">{texts.notListed}</p> : null}
      </div>
    </Dialog>
  );
}
