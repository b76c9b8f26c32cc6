'use client';

import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import { visibleText } from '#components/ui/visible-text.ts';
import type { McpServer } from '#studio/sources/mcp/mcp-server.ts';

/**
 * Lists the tools, prompts, and resources of a tool server, and its tools that cannot be used. Renders nothing before the
 * server has listed what it offers.
 */
export function ServerTools({ server: { listing, refused } }: { server: Pick<McpServer, 'listing' | 'refused'> }) {
  const texts = useServerTexts();
  if (listing === undefined) return null;
  const refusedNames = new Set(refused.map(({ name }) => name));
  const offered = listing.tools.filter(({ name }) => !refusedNames.has(name));
  return (
    <section aria-label={texts.tools}>
      <h3 className="font-medium">{texts.tools}</h3>
      {offered.length === 0 ? <p className="text-muted">{texts.noTools}</p> : null}
      <ul className="max-h-60 overflow-y-auto">
        {offered.map(({ name, title, description, isDestructive }) => (
          <li key={name} className="py-1">
            <span className="break-words font-mono text-[13px]">{name}</span>
            {title === undefined ? null : <span className="ml-2">{visibleText(title)}</span>}
            {isDestructive ? <span className="ml-2 text-denied">{texts.destructive}</span> : null}
            <span className="line-clamp-2 block break-words text-muted text-xs">{visibleText(description)}</span>
          </li>
        ))}
      </ul>
      <Offers heading={texts.prompts} entries={listing.prompts} />
      <Offers heading={texts.resources} entries={[...listing.resources, ...listing.templates]} />
      {refused.length === 0 ? null : (
        <>
          <h3 className="mt-2 font-medium">{texts.refused}</h3>
          <ul className="max-h-40 overflow-y-auto">
            {refused.map(({ name, reason }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names may occur twice, and the list never changes in part
              <li key={index} className="break-words py-1 text-muted">
                <span className="font-mono text-[13px] text-text">{visibleText(name)}</span> {visibleText(reason)}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** Lists one kind of content that a tool server offers for messages. Renders nothing if it offers none. */
function Offers({
  heading,
  entries,
}: {
  heading: string;
  entries: readonly { name: string; title?: string; description: string }[];
}) {
  if (entries.length === 0) return null;
  return (
    <>
      <h3 className="mt-2 font-medium">{heading}</h3>
      <ul className="max-h-40 overflow-y-auto">
        {entries.map(({ name, title, description }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: resources may share a name, and the list never changes in part
          <li key={index} className="py-1">
            <span className="break-words font-mono text-[13px]">{visibleText(name)}</span>
            {title === undefined ? null : <span className="ml-2">{visibleText(title)}</span>}
            <span className="line-clamp-1 block break-words text-muted text-xs">{visibleText(description)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
