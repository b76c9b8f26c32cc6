'use client';

import { useEffect } from 'react';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import TextDiff from '#components/review/text-diff.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { definitionText } from '#lib/mcp/definition-text.ts';
import type { ForeignDefinition } from '#lib/tools/core/foreign-definition.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import { apiOf } from '#lib/tools/toolset-names.ts';

/** Longer texts are shown one after the other: comparing them could hold up the page. */
const COMPARED_MAX_LINES = 600;
const COMPARED_MAX_LENGTH = 40_000;

interface ForeignToolProps {
  tool: ToolSpec;
  /** Called once all of it is shown: before that, nobody can allow the tool. */
  onShown(): void;
}

/** What a server or an API says about a tool that the person has not allowed as it is: all of it, and what has changed. */
export default function ForeignTool({ tool, onShown }: ForeignToolProps) {
  const texts = useServerTexts();
  const { tools } = useStudio();
  const change = tools.changeOf(tool);
  const isApi = apiOf(tool.toolset) !== undefined;
  useEffect(() => onShown(), [onShown]);
  return (
    <>
      {tool.destructive === true ? (
        <p className="mt-2 font-medium text-denied">{isApi ? texts.deletes : texts.isDestructive}</p>
      ) : null}
      {change === undefined ? null : change.before === undefined ? (
        <Described heading={isApi ? texts.newRequest : texts.newTool} text={textOf(change.now)} />
      ) : (
        <Changed
          heading={isApi ? texts.changedRequest : texts.changedTool}
          name={tool.name}
          before={textOf(change.before)}
          now={textOf(change.now)}
        />
      )}
    </>
  );
}

function Changed({ heading, name, before, now }: { heading: string; name: string; before: string; now: string }) {
  const texts = useServerTexts();
  const isComparable = [before, now].every(
    (text) => text.length <= COMPARED_MAX_LENGTH && text.split('\n').length <= COMPARED_MAX_LINES,
  );
  if (isComparable)
    return (
      <div className="mt-2">
        <p>{heading}</p>
        <TextDiff path={`${name}.json`} before={before} after={now} />
      </div>
    );
  return (
    <>
      <p className="mt-2">{heading}</p>
      <Described heading={texts.before} text={before} />
      <Described heading={texts.now} text={now} />
    </>
  );
}

const Described = ({ heading, text }: { heading: string; text: string }) => (
  <div className="mt-2">
    <p>{heading}</p>
    <pre className="mt-1 max-h-48 overflow-y-auto whitespace-pre-wrap break-words border-line-strong border-l-2 pl-3 text-[13px] text-muted">
      {text}
    </pre>
  </div>
);

const textOf = (definition: ForeignDefinition): string => visibleText(definitionText(definition));
