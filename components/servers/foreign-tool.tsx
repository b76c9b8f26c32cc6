'use client';

import { useStudio } from '#components/hooks/studio-provider.tsx';
import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import TextDiff from '#components/review/text-diff.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import type { McpDefinition } from '#lib/mcp/definition.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';

/** What a server says about a tool that the person has not allowed as it is. */
export default function ForeignTool({ tool }: { tool: ToolSpec }) {
  const texts = useServerTexts();
  const { tools } = useStudio();
  const change = tools.servers?.changeOf(tool);
  return (
    <>
      {tool.destructive === true ? <p className="mt-2 font-medium text-denied">{texts.isDestructive}</p> : null}
      {change === undefined ? null : change.before === undefined ? (
        <div className="mt-2">
          <p>{texts.newTool}</p>
          <blockquote className="mt-1 max-h-40 overflow-y-auto whitespace-pre-wrap break-words border-line-strong border-l-2 pl-3 text-muted">
            {visibleText(change.now.description === '' ? change.now.name : change.now.description)}
          </blockquote>
        </div>
      ) : (
        <div className="mt-2">
          <p>{texts.changedTool}</p>
          <TextDiff path={`${tool.name}.json`} before={textOf(change.before)} after={textOf(change.now)} />
        </div>
      )}
    </>
  );
}

/** All that a server says about a tool, to be compared line by line. */
const textOf = ({
  hash: _,
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  isDestructive,
}: McpDefinition): string =>
  visibleText(
    [
      ...(title === undefined ? [name] : [name, title]),
      description,
      JSON.stringify({ isDestructive, inputSchema, outputSchema }, undefined, 2),
    ].join('\n'),
  );
