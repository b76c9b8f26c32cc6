import { useContext } from 'react';
import { Diagram } from '#components/diagrams/diagram.tsx';
import { diagramKind } from '#components/diagrams/diagram-kind.ts';
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

/**
 * Fenced code of an answer. Once it is complete, a diagram is drawn, and code of the language `math` is drawn as a formula.
 */
export function FencedCode({ code, language, streaming }: FencedCodeProps) {
  const name = useContext(BlockNameContext);
  const isTextWritten = useContext(WritingContext);
  const isWriting = streaming ?? isTextWritten;
  // As on GitHub.
  if (language?.toLowerCase() === 'math' && !isWriting && code.trim() !== '')
    return <FormulaView formula={{ source: `$$\n${code}\n$$`, tex: code, isDisplay: true }} />;
  const kind = diagramKind(language, code);
  const block = (
    <CodeBlock code={code} language={language} {...(streaming !== undefined && { followsEnd: streaming })} />
  );
  if (kind === undefined) return block;
  // Chromium computes all styles of an element again in which one is replaced, once there are formulas. So this one is small.
  return (
    <div>
      {isWriting ? (
        block
      ) : (
        <Diagram kind={kind} code={code} name={name}>
          {block}
        </Diagram>
      )}
    </div>
  );
}
