import { Suspense } from 'react';
import { lazyView, retriedUntilLoaded } from '#components/ui/lazy-view.tsx';
import type { DiagramProps } from './diagram-view.tsx';

const DiagramView = lazyView(retriedUntilLoaded(() => import('./diagram-view.tsx')));

/** A diagram of an answer. Shows its source until the code that draws it is loaded. */
export const Diagram = (props: DiagramProps) => (
  <Suspense fallback={props.children}>
    <DiagramView {...props} />
  </Suspense>
);
