'use client';

import { useEffect } from 'react';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import { ChangedText, ShownText } from '#components/review/changed-text.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { definitionText } from '#lib/sources/mcp/definition-text.ts';
import type { ExternalDefinition } from '#lib/tools/catalogue/external-definition.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import { HTTP_API, sourceOf } from '#lib/tools/toolset-names.ts';

interface ExternalToolProps {
  tool: ToolSpec;
  /** Called once the definition is shown. Until then, the person cannot allow the tool. */
  onShown(): void;
}

/**
 * Shows the definition of an external tool (not one of the studio's own) that the person has never allowed, or how the
 * definition has changed since they allowed it. Shows no definition if the tool is allowed as it is now. `onShown`: called
 * once this is shown, because the person can allow the tool only then.
 */
export default function ExternalTool({ tool, onShown }: ExternalToolProps) {
  const texts = useServerTexts();
  const { tools } = useStudio();
  const change = tools.changeOf(tool);
  const isApi = sourceOf(tool.toolset)?.kind === HTTP_API;
  useEffect(() => onShown(), [onShown]);
  return (
    <>
      {tool.destructive === true ? (
        <p className="mt-2 font-medium text-denied">{isApi ? texts.deletes : texts.isDestructive}</p>
      ) : null}
      {change === undefined ? null : change.before === undefined ? (
        <ShownText heading={isApi ? texts.newRequest : texts.newTool} text={textOf(change.now)} />
      ) : (
        <ChangedText
          heading={isApi ? texts.changedRequest : texts.changedTool}
          path={`${tool.name}.json`}
          before={textOf(change.before)}
          now={textOf(change.now)}
        />
      )}
    </>
  );
}

const textOf = (definition: ExternalDefinition): string => visibleText(definitionText(definition));
