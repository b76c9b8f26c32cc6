'use client';

import { type CSSProperties, memo, useEffect, useMemo, useRef, useState } from 'react';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { CodeHighlighter, HIGHLIGHT_MAX_CHARACTERS, type HighlightedCode, languageOf } from './highlighter.ts';

interface CodeBlockProps {
  code: string;
  /** A language name or file extension; without one, the code is not highlighted. */
  language?: string | undefined;
  /** Describes the code if there is no visible heading. */
  label?: string;
  /** Keeps the view at the end while the code is being written. */
  streaming?: boolean;
}

/** Code with syntax highlighting, its language, and a copy button. Long code scrolls inside the block. */
export const CodeBlock = memo(function CodeBlock({ code, language, label, streaming = false }: CodeBlockProps) {
  const name = language === undefined ? undefined : languageOf(language);
  const { lines, rest } = useHighlighted(code, name, streaming);
  const box = useRef<HTMLPreElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view follows each new piece of code
  useEffect(() => {
    if (streaming && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [code, streaming]);
  return (
    <div className="group/code my-2 overflow-hidden rounded-md border border-line bg-sunken">
      <div className="flex h-8 items-center border-line border-b pl-3 text-muted text-xs">
        <span className="flex-1 truncate font-mono">{label ?? language ?? ''}</span>
        <CopyButton text={() => code} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre ref={box} tabIndex={0} className="max-h-96 overflow-auto p-3 font-mono text-[13px] leading-5">
        <code>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines are those of one text
            <Line key={index} line={line} />
          ))}
          {rest}
        </code>
      </pre>
    </div>
  );
});

const Line = memo(function Line({ line }: { line: HighlightedCode['lines'][number] }) {
  return (
    <span>
      {line.map((token) => (
        <span key={token.offset} className="code-token" style={token.htmlStyle as CSSProperties}>
          {token.content}
        </span>
      ))}
      {'\n'}
    </span>
  );
});

/** The highlighted code. Until the highlighter is loaded, or if it cannot be, the code is plain text. */
function useHighlighted(code: string, language: string | undefined, streaming: boolean): HighlightedCode {
  const [highlighter, setHighlighter] = useState<CodeHighlighter>();
  useEffect(() => {
    if (language === undefined) return;
    let current = true;
    CodeHighlighter.load(language).then(
      (loaded) => {
        if (current) setHighlighter(loaded);
      },
      () => undefined,
    );
    return () => {
      current = false;
      setHighlighter(undefined);
    };
  }, [language]);
  return useMemo(
    () =>
      highlighter === undefined || code.length > HIGHLIGHT_MAX_CHARACTERS
        ? { lines: [], rest: code }
        : highlighter.highlight(code, !streaming),
    [highlighter, code, streaming],
  );
}
