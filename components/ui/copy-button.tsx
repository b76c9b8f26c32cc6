'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { Button, IconButton } from './button.tsx';

interface CopyButtonProps {
  text(): string;
  label?: string;
  /** Shows the label next to the icon. */
  withText?: boolean;
  className?: string;
}

const CONFIRMED_MS = 1_500;

/** Copies a text and shows a confirmation for a moment. */
export function CopyButton({ text, label, withText = false, className }: CopyButtonProps) {
  const t = useMessages();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    navigator.clipboard.writeText(text()).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  const name = copied ? t.common.copied : (label ?? t.common.copy);
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
