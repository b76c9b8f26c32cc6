import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';

interface DisclosureProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  /** The id of the element that the button shows and hides, if that is in the document even while hidden. */
  controls?: string;
  className?: string;
  /** Further classes of the arrow. */
  arrowClassName?: string;
  children: ReactNode;
}

/** A button with an arrow that shows and hides something. `controls`: the id of the element that it shows and hides. */
export function Disclosure({
  open,
  onOpenChange,
  controls,
  className = '',
  arrowClassName = '',
  children,
}: DisclosureProps) {
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-controls={controls}
      onClick={() => onOpenChange(!open)}
      className={`flex text-left ${className}`}
    >
      <ChevronRight
        aria-hidden
        size={14}
        className={`shrink-0 transition-transform ${arrowClassName} ${open ? 'rotate-90' : ''}`}
      />
      {children}
    </button>
  );
}
