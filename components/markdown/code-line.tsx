import { type CSSProperties, memo } from 'react';
import type { Token } from './code-tokens.ts';

interface CodeLineProps {
  text: string;
  /** Of the beginning of the line; the rest is plain. */
  tokens: readonly Token[] | undefined;
  className?: string;
  /** Its number, by which it is found in code of which only some lines are rendered. */
  line?: number;
  /** The height of the lines before it that are not rendered, in pixels. */
  gap?: number;
}

/** A line of code with its colors, as far as they are known. */
export const CodeLine = memo(function CodeLine({ text, tokens, className, line, gap }: CodeLineProps) {
  let at = 0;
  const views = tokens?.map(({ length, style }) => {
    const start = at;
    at += length;
    return (
      <span key={start} className="code-token" style={style as CSSProperties}>
        {text.slice(start, at)}
      </span>
    );
  });
  return (
    <span className={className} data-line={line} style={gap ? { marginTop: gap } : undefined}>
      {views}
      {text.slice(at)}
      {'\n'}
    </span>
  );
});
