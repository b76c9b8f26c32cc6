'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { Button, IconButton } from './button.tsx';
import { copyText } from './copy-text.ts';

interface CopyButtonProps {
  text(): string;
  label?: string;
  /** Whether the label is shown next to the icon, and not only as a tooltip. */
  withText?: boolean;
  className?: string;
}

const CONFIRMED_MS = 1_500;

/** Copies a text, and says for a moment whether that worked. */
export function CopyButton({ text, label, withText = false, className }: CopyButtonProps) {
  const t = useMessages();
  /** The outcome of the last copy, for a moment; otherwise undefined. */
  const [outcome, setOutcome] = useState<'copied' | 'copyFailed'>();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copied = outcome === 'copied';
  const copy = () => void copyText(text()).then((isDone) => setOutcome(isDone ? 'copied' : 'copyFailed'));
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
