'use client';

import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { useIsPrinting } from '#components/ui/use-is-printing.ts';
import type { HighlightedLines } from './code-highlighting.ts';
import { CodeLine } from './code-line.tsx';
import { CodeLines } from './code-lines.ts';
import { languageOf } from './languages.ts';
import { CODE_LIMITS } from './limits.ts';
import { useHighlighted } from './use-highlighted.ts';
import { WindowedCode } from './windowed-code.tsx';

interface CodeBlockProps {
  code: string;
  /** A language name or file extension; without one, the code is not highlighted. */
  language?: string | undefined;
  /** Describes the code if there is no visible heading. */
  label?: string;
  /** Keeps the view at the end while the code is being written. */
  streaming?: boolean;
}

/**
 * Code with syntax highlighting, its language, and a copy button. Long code scrolls inside the block, and only the lines
 * near what is seen of it are rendered.
 */
export const CodeBlock = memo(function CodeBlock({ code, language, label, streaming = false }: CodeBlockProps) {
  const name = language === undefined ? undefined : languageOf(language);
  const highlighted = useHighlighted(code, name, streaming);
  const [lines] = useState(() => new CodeLines());
  // The same code always has the same lines: only what was added is read.
  useMemo(() => lines.update(code), [lines, code]);
  const isPrinting = useIsPrinting();
  const isLong = lines.count > CODE_LIMITS.linesAtOnce || code.length > CODE_LIMITS.charactersAtOnce;
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
      <pre ref={box} tabIndex={0} className="max-h-96 overflow-auto p-3 font-mono text-[13px] leading-[20px]">
        {isLong && !isPrinting ? (
          <WindowedCode lines={lines} tokens={highlighted.lines} box={box} />
        ) : (
          <WholeCode code={code} highlighted={highlighted} />
        )}
      </pre>
    </div>
  );
});

function WholeCode({ code, highlighted: { lines } }: { code: string; highlighted: HighlightedLines }) {
  const texts = code.split('\n');
  return (
    <code>
      {lines.slice(0, texts.length).map((tokens, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are those of one text
        <CodeLine key={index} text={texts[index] ?? ''} tokens={tokens} />
      ))}
      {texts.slice(lines.length).join('\n')}
    </code>
  );
}
