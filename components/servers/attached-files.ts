import { visibleText } from '#components/ui/visible-text.ts';
import type { AttachedContent } from '#lib/mcp/attached-content.ts';

/** What a resource of a server is called in a message. */
export const attachedName = (server: string, uri: string): string => visibleText(`${server}:${uri}`);

/** What a server gave for a message as files to attach, under names that tell whose they are. */
export const filesOf = ({ files }: AttachedContent, server: string): File[] =>
  files.map((file) => {
    const content = file.type === 'text' ? file.text : Uint8Array.from(atob(file.data), (char) => char.charCodeAt(0));
    return new File([content], attachedName(server, file.name), { type: file.mediaType });
  });
