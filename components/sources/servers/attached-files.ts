import { visibleText } from '#components/ui/visible-text.ts';
import type { AttachedContent } from '#lib/sources/mcp/attached-content.ts';

/** Returns the name of a server's resource in a message. */
export const attachedName = (server: string, uri: string): string => visibleText(`${server}:${uri}`);

/** Converts a server's content for a message to files to attach, whose names say which server they come from. */
export const filesOf = ({ files }: AttachedContent, server: string): File[] =>
  files.map((file) => {
    const content = file.type === 'text' ? file.text : Uint8Array.from(atob(file.data), (char) => char.charCodeAt(0));
    return new File([content], attachedName(server, file.name), { type: file.mediaType });
  });
