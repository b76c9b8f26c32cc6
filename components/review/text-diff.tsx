'use client';

import { type CSSProperties, useMemo, useRef, useState } from 'react';
import {
  Decoration,
  Diff,
  expandFromRawCode,
  getCollapsedLinesCountBetween,
  Hunk,
  type HunkData,
  type HunkTokens,
  markEdits,
  parseDiff,
  type RenderToken,
  tokenize,
} from 'react-diff-view';
import 'react-diff-view/style/index.css';
import { useChangeTexts } from '#components/i18n/use-change-texts.ts';
import { languageOfPath } from '#components/markdown/languages.ts';
import { useHighlighted } from '#components/markdown/use-highlighted.ts';
import { splitLines } from '#lib/workspace/review/hunks.ts';
import { unifiedDiff } from '#lib/workspace/review/unified-diff.ts';
import { highlightedTree } from './highlighted-tree.ts';
import { useElementWidth } from './use-element-width.ts';

/** The width, in CSS pixels, from which both texts are side by side. */
const SPLIT_FROM = 880;

/** The changed lines up to which words are compared as well. */
const WORDS_MAX_LINES = 1_000;
/** The changed lines up to which the differences are shown at all. */
const SHOWN_MAX_LINES = 4_000;

interface TextDiffProps {
  path: string;
  before: string;
  after: string;
}

/**
 * Shows how two texts differ: line by line and word by word, without the parts that are the same, which can be expanded. If
 * the texts differ too much, only says so. `path`: decides the language in which they are highlighted.
 */
export default function TextDiff({ path, before, after }: TextDiffProps) {
  const t = useChangeTexts();
  const box = useRef<HTMLDivElement>(null);
  const isWide = useElementWidth(box) >= SPLIT_FROM;
  const diff = useMemo(() => unifiedDiff(before, after), [before, after]);
  const parsed = useMemo(() => (diff === undefined || diff === '' ? [] : (parseDiff(diff)[0]?.hunks ?? [])), [diff]);
  const [expanded, setExpanded] = useState<{ of: HunkData[]; hunks: HunkData[] }>();
  const hunks = expanded?.of === parsed ? expanded.hunks : parsed;
  const changed = changedLines(parsed);
  const tokens = useTokens(path, before, after, hunks);
  const lines = useMemo(() => splitLines(before).map((line) => line.replace(/\n$/, '')), [before]);
  const expand = (start: number, end: number) =>
    setExpanded({ of: parsed, hunks: expandFromRawCode(hunks, lines, start, end) });
  if (diff === undefined) return <p className="p-2 text-muted text-sm">{t.tooDifferent}</p>;
  if (diff === '') return <p className="p-2 text-muted text-sm">{t.same}</p>;
  if (changed > SHOWN_MAX_LINES) return <p className="p-2 text-muted text-sm">{t.tooLong(changed)}</p>;
  const isAlone = before === '' || after === '';
  return (
    <div
      ref={box}
      className={`text-diff overflow-x-auto text-[13px] ${before === '' ? 'is-new' : after === '' ? 'is-deleted' : ''}`}
    >
      <Diff
        viewType={isWide && !isAlone ? 'split' : 'unified'}
        diffType={before === '' ? 'add' : after === '' ? 'delete' : 'modify'}
        hunks={hunks}
        tokens={tokens}
        renderToken={renderToken}
      >
        {(shown) =>
          shown.flatMap((hunk, index) => [
            <Folded key={`folded ${hunk.oldStart}`} before={shown[index - 1]} after={hunk} onExpand={expand} />,
            <Hunk key={`hunk ${hunk.oldStart} ${hunk.newStart}`} hunk={hunk} />,
          ])
        }
      </Diff>
    </div>
  );
}

interface FoldedProps {
  before: HunkData | undefined;
  after: HunkData;
  onExpand(start: number, end: number): void;
}

/**
 * A button in place of the lines between two hunks, which are the same on both sides. It shows them. Renders nothing if
 * there are none.
 */
function Folded({ before, after, onExpand }: FoldedProps) {
  const t = useChangeTexts();
  const count = getCollapsedLinesCountBetween(before ?? null, after);
  const start = before === undefined ? 1 : before.oldStart + before.oldLines;
  if (count <= 0) return null;
  return (
    <Decoration>
      <button
        type="button"
        className="w-full bg-sunken px-2 py-0.5 text-left text-muted text-xs hover:bg-hover"
        onClick={() => onExpand(start, after.oldStart)}
      >
        {t.unchangedLines(count)}
      </button>
    </Decoration>
  );
}

const renderToken: RenderToken = (token, renderDefault, index) => {
  const style: CSSProperties | undefined = token.properties?.style;
  if (style === undefined) return renderDefault(token, index);
  return (
    <span key={index} className="code-token" style={style}>
      {token.children?.map((child, at) => renderToken(child, renderDefault, at))}
    </span>
  );
};

function useTokens(path: string, before: string, after: string, hunks: HunkData[]): HunkTokens | null {
  const language = languageOfPath(path);
  const old = useHighlighted(before, language, false);
  const now = useHighlighted(after, language, false);
  return useMemo(() => {
    // The library passes the whole text of a side; that of a new file lacks the last line break.
    const trees = new Map(
      [
        { text: before, lines: old.lines },
        { text: after, lines: now.lines },
      ].flatMap(({ text, lines }) =>
        [text.replace(/\n$/, ''), text].map((side) => [side, highlightedTree(side, lines)] as const),
      ),
    );
    const refractor = { highlight: (text: string) => trees.get(text) ?? [{ type: 'text', value: text }] };
    return tokenize(hunks, {
      highlight: true,
      refractor: refractor as never,
      language: 'text',
      oldSource: before,
      enhancers: changedLines(hunks) > WORDS_MAX_LINES ? [] : [markEdits(hunks, { type: 'block' })],
    });
  }, [before, after, hunks, old, now]);
}

const changedLines = (hunks: readonly HunkData[]): number =>
  hunks.reduce((sum, { changes }) => sum + changes.filter(({ type }) => type !== 'normal').length, 0);
