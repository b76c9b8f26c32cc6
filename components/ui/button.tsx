import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import type { ShortcutId } from '#components/hooks/shortcuts.ts';
import { classNames } from './class-names.ts';

const VARIANTS = {
  primary: 'bg-accent text-accent-text hover:brightness-110',
  secondary: 'border border-line-strong/50 bg-raised hover:bg-hover',
  ghost: 'hover:bg-hover',
  danger: 'border border-failed/50 text-failed hover:bg-failed-soft',
} as const;

const BASE = 'inline-flex items-center justify-center gap-1.5 rounded-md text-sm disabled:opacity-50';

interface ButtonProps extends ComponentProps<'button'> {
  variant?: keyof typeof VARIANTS;
  /** Whether the button's action is running. Clicks then do nothing, but it keeps the focus, unlike a disabled button. */
  isBusy?: boolean | undefined;
}

export function Button({ variant = 'secondary', className, isBusy, onClick, ...props }: ButtonProps) {
  return (
    <button
      type="button"
      aria-disabled={isBusy}
      className={classNames(BASE, 'h-8 px-3 font-medium aria-disabled:opacity-50', VARIANTS[variant], className)}
      onClick={isBusy ? preventDefault : onClick}
      {...props}
    />
  );
}

/** Prevents a click from submitting the form. */
const preventDefault = (event: MouseEvent<HTMLButtonElement>): void => event.preventDefault();

const TONES = {
  muted: 'text-muted hover:bg-hover hover:text-text',
  accent: 'text-accent hover:bg-hover',
  primary: 'bg-accent text-accent-text hover:brightness-110',
} as const;

const SIZES = { normal: 'size-8', small: 'size-7', tiny: 'size-6.5' };

interface IconButtonProps extends ComponentProps<'button'> {
  /** The accessible name, also shown as a tooltip. */
  label: string;
  /** The shortcut that the tooltip shows next to the label. */
  shortcut?: ShortcutId;
  tone?: keyof typeof TONES;
  size?: keyof typeof SIZES;
  children: ReactNode;
}

export function IconButton({
  label,
  shortcut,
  tone = 'muted',
  size = 'normal',
  className,
  children,
  ...props
}: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      data-tooltip={label}
      data-shortcut={shortcut}
      className={classNames(BASE, SIZES[size], 'shrink-0', TONES[tone], className)}
      {...props}
    >
      {children}
    </button>
  );
}
