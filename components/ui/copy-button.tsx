'use client';

import { Check, Copy } from 'lucide-react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { Button, IconButton } from './button.tsx';
import { useCopying } from './use-copying.ts';

interface CopyButtonProps {
  text(): string;
  label?: string;
  /** Whether the label is shown next to the icon, and not only as a tooltip. */
  withText?: boolean;
  className?: string;
}

/**
 * A button that copies what `text` returns, and says for a moment whether that worked. `withText`: whether the label stands
 * next to the icon; otherwise, it is only the tooltip.
 */
export function CopyButton({ text, label, withText = false, className }: CopyButtonProps) {
  const t = useMessages();
  const [outcome, copyNow] = useCopying();
  const copied = outcome === 'copied';
  const copy = () => copyNow(text());
  const name = outcome === undefined ? (label ?? t.common.copy) : t.common[outcome];
  const icon = copied ? <Check aria-hidden size={15} /> : <Copy aria-hidden size={15} />;
  if (withText) {
    return (
      <Button onClick={copy} className={className}>
        {icon}
        {name}
      </Button>
    );
  }
  return (
    <IconButton label={name} onClick={copy} className={className}>
      {icon}
    </IconButton>
  );
}
