import { useMarkdownTexts } from '#components/i18n/use-markdown-texts.ts';
import { Button } from '#components/ui/button.tsx';
import type { DiagramProblem } from '#lib/sandbox/diagrams/drawing.ts';

interface DiagramFaultProps {
  problem: DiagramProblem;
  code: string;
  onRetry(): void;
}

/** Says below the source of a diagram why it is not drawn, and where its mistake is. */
export function DiagramFault({ problem, code, onRetry }: DiagramFaultProps) {
  const texts = useMarkdownTexts();
  const { line } = problem;
  const written = line === undefined ? undefined : code.split('\n')[line - 1]?.trim();
  return (
    <div data-unsearched="" className="-mt-1 mb-3 text-sm">
      <p className="text-failed">{texts.diagram.problems[problem.code](line)}</p>
      {written ? (
        <p>
          <code className="wrap-anywhere rounded-sm bg-failed-soft px-1 text-[13px] text-failed">{written}</code>
        </p>
      ) : null}
      {problem.code === 'mistake' ? (
        <details className="text-muted">
          <summary className="w-fit cursor-default">{texts.diagram.details}</summary>
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
            tabIndex={0}
            className="max-h-40 overflow-auto whitespace-pre font-mono text-xs"
          >
            {problem.message}
          </pre>
        </details>
      ) : null}
      {problem.code === 'not-started' || problem.code === 'too-slow' ? (
        <Button onClick={onRetry} className="mt-1">
          {texts.diagram.retry}
        </Button>
      ) : null}
    </div>
  );
}
