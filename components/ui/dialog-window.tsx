'use client';

import * as Radix from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { type FocusPlace, returnFocus } from './focus.ts';

export interface DialogProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  description?: string;
  wide?: boolean;
  /** Whether the window is large and of a fixed size, in which the content arranges itself. */
  large?: boolean;
  children: ReactNode;
}

/** The window of a `Dialog`, whose code is loaded with the first dialog. `opener`: the place to which the focus returns. */
export default function DialogWindow(props: DialogProps & { opener: FocusPlace }) {
  const { open, onOpenChange, title, description, wide = false, large = false, children, opener } = props;
  const t = useMessages();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Radix.Content
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          onEscapeKeyDown={(event) => {
            if (!(event.target instanceof HTMLElement)) return;
            // Esc ends only the choice of keys for a shortcut, or hides the suggestions of a field.
            if (event.target.dataset.recordsKeys !== undefined || event.target.matches('input[aria-expanded="true"]'))
              event.preventDefault();
          }}
          onOpenAutoFocus={(event) => {
            const first = (event.currentTarget as HTMLElement).querySelector<HTMLElement>('[data-initial-focus]');
            if (first === null) return;
            event.preventDefault();
            first.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            returnFocus(opener);
          }}
          className={classNames(
            'fixed top-1/2 left-1/2 z-50 flex max-h-[85dvh] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col wrap-anywhere rounded-lg border border-line bg-raised shadow-float',
            large ? 'h-[min(85dvh,44rem)] max-w-4xl' : wide ? 'max-w-3xl' : 'max-w-md',
          )}
        >
          <div className="flex items-center gap-2 border-line border-b py-2 pr-2 pl-4">
            <Radix.Title className="line-clamp-3 min-w-0 flex-1 font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label={t.common.close}>
                <X aria-hidden size={16} />
              </IconButton>
            </Radix.Close>
          </div>
          <div className={large ? 'min-h-0 flex-1' : 'min-h-0 overflow-y-auto p-4'}>
            {description === undefined ? null : (
              <Radix.Description className="mb-3 text-muted text-sm">{description}</Radix.Description>
            )}
            {children}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
