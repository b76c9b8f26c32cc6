'use client';

import { type CSSProperties, memo, useEffect, useRef, useState } from 'react';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { HIGHLIGHT_MAX_CHARACTERS, highlight, languageOf } from './highlighter.ts';

interface CodeBlockProps {
  code: string;
  /** A language's name or a file extension; nothing is coloured without one. */
  language?: string | undefined;
  /** Says what the code is, where it is not named beside it. */
  label?: string;
  /** While it is being written: no colours yet, and the view stays at its end. */
  streaming?: boolean;
}

type Tokens = Awaited<ReturnType<typeof highlight>>;

/** Code with colours, a name and a copy button. Long code scrolls in itself. */
export const CodeBlock = memo(function CodeBlock({ code, language, label, streaming = false }: CodeBlockProps) {
  const name = language === undefined ? undefined : languageOf(language);
  const tokens = useTokens(code, streaming ? undefined : name);
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
          {tokens === undefined
            ? code
            : // biome-ignore lint/suspicious/noArrayIndexKey: the lines are those of one text
              tokens.map((line, index) => <Line key={index} line={line} />)}
        </code>
      </pre>
    </div>
  );
});

function Line({ line }: { line: Tokens[number] }) {
  return (
    <span>
      {line.map((token) => (
        <span key={token.offset} className="shiki-token" style={token.htmlStyle as CSSProperties}>
          {token.content}
        </span>
      ))}
      {'\n'}
    </span>
  );
}

/** The coloured code, once it is there. Until then, and when it fails, the plain text stands. */
function useTokens(code: string, language: string | undefined): Tokens | undefined {
  const [result, setResult] = useState<{ code: string; tokens: Tokens }>();
  useEffect(() => {
    if (language === undefined || code.length > HIGHLIGHT_MAX_CHARACTERS) return;
    let current = true;
    highlight(code, language).then(
      (tokens) => {
        if (current) setResult({ code, tokens });
      },
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [code, language]);
  return result?.code === code ? result.tokens : undefined;
}
