import { useContext } from 'react';
import { Diagram } from '#components/diagrams/diagram.tsx';
import { diagramLanguage } from '#components/diagrams/diagram-language.ts';
import { CodeBlock } from './code-block.tsx';
import { FormulaView } from './formula-view.tsx';
import { BlockNameContext } from './use-shown.ts';
import { WritingContext } from './writing.ts';

interface FencedCodeProps {
  code: string;
  /** The first word after the opening fence. */
  language: string | undefined;
  /** Whether the code is still being written; by default, whether the text around it is. */
  streaming?: boolean;
}

/** Fenced code of an answer. A diagram is drawn once it is complete. */
export function FencedCode({ code, language, streaming }: FencedCodeProps) {
  const name = useContext(BlockNameContext);
  const isTextWritten = useContext(WritingContext);
  // As on GitHub.
  if (language?.toLowerCase() === 'math' && !(streaming ?? isTextWritten) && code.trim() !== '')
    return <FormulaView formula={{ source: `$$\n${code}\n$$`, tex: code, isDisplay: true }} />;
  const diagram = diagramLanguage(language, code);
  const block = (
    <CodeBlock code={code} language={language} {...(streaming !== undefined && { followsEnd: streaming })} />
  );
  if (diagram === undefined) return block;
  // Chromium computes all styles of an element again in which one is replaced, once there are formulas. So this one is small.
  return (
    <div>
      {(streaming ?? isTextWritten) ? (
        block
      ) : (
        <Diagram language={diagram} code={code} name={name}>
          {block}
        </Diagram>
      )}
    </div>
  );
}
