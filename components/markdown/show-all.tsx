import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';

/** A button that shows the rest of something long. */
export function ShowAll({ onClick, children }: { onClick(): void; children: ReactNode }) {
  return (
    <div data-unsearched="">
      <Button onClick={onClick}>{children}</Button>
    </div>
  );
}
