import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';

export interface SelectOption {
  value: string;
  label: string;
  detail?: string;
}

export interface SelectProps {
  /** The accessible name of the combobox. */
  label: string;
  value: string;
  options: readonly SelectOption[];
  onValueChange(value: string): void;
  onOpenChange?(open: boolean): void;
  placeholder?: string;
  className?: string;
}

export const COMBOBOX =
  'inline-flex h-8 min-w-0 items-center gap-1 rounded-md border border-line px-2 text-sm hover:bg-hover data-placeholder:text-muted';

/** The content of a combobox's button: the current choice (`children`), and an arrow. */
export function SelectFace({ children }: { children: ReactNode }) {
  return (
    <>
      <span className="truncate">{children}</span>
      <ChevronDown aria-hidden size={14} className="shrink-0 text-muted" />
    </>
  );
}
