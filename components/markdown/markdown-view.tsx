'use client';

import { marked } from 'marked';
import { memo, useMemo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from './code-block.tsx';
import { keepMathSource } from './math-source.ts';

const PLUGINS = [remarkGfm];

const COMPONENTS: Components = {
  pre: ({ children }) => children,
  code: ({ className, children }) => {
    const text = String(children ?? '');
    const language = /language-(\S+)/.exec(className ?? '')?.[1];
    // The text of a fenced block ends with a line break; inline code never does.
    if (language === undefined && !text.endsWith('\n')) {
      return <code className="rounded-sm bg-hover px-1 py-0.5 font-mono text-[0.88em]">{text}</code>;
    }
    return <CodeBlock code={text.replace(/\n$/, '')} language={language} />;
  },
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noreferrer noopener" className="text-accent underline underline-offset-2">
      {children}
    </a>
  ),
  // Nothing is loaded from other sites: an image in an answer is shown as a link.
  img: ({ src, alt }) => (
    <a
      href={typeof src === 'string' ? src : undefined}
      target="_blank"
      rel="noreferrer noopener"
      className="text-accent underline"
    >
      {alt || (typeof src === 'string' ? src : '')}
    </a>
  ),
  table: ({ children }) => (
    <div className="my-2 overflow-x-auto">
      <table>{children}</table>
    </div>
  ),
};

const Block = memo(function Block({ source }: { source: string }) {
  return (
    <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS}>
      {keepMathSource(source)}
    </ReactMarkdown>
  );
});

const FOOTNOTE = /^\[\^[^\]]+\]:/m;

/** Text whose parts refer to each other, by reference links or footnotes, is a single block. */
function splitBlocks(text: string): string[] {
  const tokens = marked.lexer(text);
  const isTied = FOOTNOTE.test(text) || tokens.some(({ type }) => type === 'def');
  return isTied ? [text] : tokens.map(({ raw }) => raw);
}

/** Markdown as it grows: split into blocks, of which only the last one is parsed again with each chunk. */
export default function MarkdownView({ text }: { text: string }) {
  const blocks = useMemo(() => splitBlocks(text), [text]);
  return (
    <>
      {blocks.map((source, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks only ever grow at the end
        <Block key={index} source={source} />
      ))}
    </>
  );
}
