'use client';

import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { CodeBlock } from '#components/markdown/code-block.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { blocksOf, blockText, type ContentBlock, type ToolContent } from '#lib/tools/core/content.ts';

interface ResultContentProps {
  content: ToolContent;
  language?: string | undefined;
  /** The label of code blocks; “Result” by default. */
  label?: string;
}

/** Shows the content of a tool's result: texts and JSON as code, images as images, and links as their plain addresses. */
export function ResultContent({ content, language, label }: ResultContentProps) {
  const t = useAllMessages();
  const heading = label ?? t.tools.result;
  return blocksOf(content).map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a result never change
    <Block key={index} block={block} language={language} label={heading} />
  ));
}

function Block({ block, language, label }: { block: ContentBlock; language: string | undefined; label: string }) {
  const t = useAllMessages();
  switch (block.type) {
    case 'text':
      return <CodeBlock code={block.text} label={label} language={language} />;
    case 'json':
      return <CodeBlock code={JSON.stringify(block.value, null, 2)} label={label} language="json" />;
    case 'image':
      return (
        // biome-ignore lint/performance/noImgElement: the image is in the result, not at an address
        <img
          src={`data:${block.mediaType};base64,${block.data}`}
          alt={block.alt ?? t.tools.resultImage}
          className="my-2 max-h-96 max-w-full rounded-md border border-line"
        />
      );
    case 'resource':
      return (
        <p className="my-2 whitespace-pre-wrap break-words font-mono text-[13px] text-muted">
          {visibleText(blockText(block))}
        </p>
      );
  }
}
