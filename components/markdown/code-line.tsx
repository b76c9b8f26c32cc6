import { type CSSProperties, memo } from 'react';
import type { Token } from './code-tokens.ts';

interface CodeLineProps {
  text: string;
  /** The tokens of the line, or of its beginning; the rest is plain. Undefined if it is not highlighted. */
  tokens: readonly Token[] | undefined;
  className?: string;
  /** The line's number, from 0, in code of which only some lines are rendered. */
  line?: number;
  /** The height, in CSS pixels, of the lines that are left out just before this one. */
  gap?: number;
}

/**
 * A line of code with its colors, as far as they are known. In code of which only some lines are rendered, `line` is its
 * number, from 0, and `gap` the height of the lines that are left out before it, in CSS pixels.
 */
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
