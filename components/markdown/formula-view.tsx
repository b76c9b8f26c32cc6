import { memo, Suspense } from 'react';
import { lazyView, retriedUntilLoaded } from '#components/ui/lazy-view.tsx';
import type { Formula } from './formulas.ts';

/** The renderer of formulas. Until it is loaded, formulas are shown as they were written. */
const DrawnFormula = lazyView(retriedUntilLoaded(() => import('./drawn-formula.tsx')));

/** Draws a formula. Until the code for this is loaded, shows the formula as it was written. */
export const FormulaView = memo(function FormulaView({ formula }: { formula: Formula }) {
  return (
    <Suspense fallback={<FormulaSource formula={formula} />}>
      <DrawnFormula formula={formula} />
    </Suspense>
  );
}, isSame);

/** Checks whether two formulas look the same. Each parse of a text that grows makes new objects. */
function isSame({ formula: one }: { formula: Formula }, { formula: other }: { formula: Formula }): boolean {
  return one.source === other.source && one.isDisplay === other.isDisplay;
}

/** A formula as it was written. */
const FormulaSource = ({ formula: { source, isDisplay } }: { formula: Formula }) => (
  <span dir="ltr" className={isDisplay ? 'my-block block whitespace-pre-wrap font-mono text-[0.9em]' : undefined}>
    {source}
  </span>
);
