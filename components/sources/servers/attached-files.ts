import { visibleText } from '#components/ui/visible-text.ts';
import type { AttachedContent } from '#lib/sources/mcp/attached-content.ts';

/** Returns the name of a tool server's resource in a message, such as `weather:file:///notes.md`. */
export const attachedName = (server: string, uri: string): string => visibleText(`${server}:${uri}`);

/** Converts content of a tool server to files to attach to a message, with the server's name in their names. */
export const filesOf = ({ files }: AttachedContent, server: string): File[] =>
  files.map((file) => {
    const content = file.type === 'text' ? file.text : Uint8Array.from(atob(file.data), (char) => char.charCodeAt(0));
    return new File([content], attachedName(server, file.name), { type: file.mediaType });
  });
