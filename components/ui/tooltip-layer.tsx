'use client';

import * as Radix from '@radix-ui/react-tooltip';
import { useEffect, useState } from 'react';
import type { ShortcutId } from '#components/hooks/shortcuts.ts';
import { ShortcutKeys } from './keys.tsx';

/** The time that the pointer rests on a button before its tooltip appears, in milliseconds. */
const DELAY_MS = 500;

/** The time after one tooltip in which the next one appears at once, in milliseconds. */
const NEXT_MS = 300;

interface Shown {
  text: string;
  shortcut: ShortcutId | undefined;
  box: DOMRect;
}

/** Returns the tooltip of an element; undefined if it has none at present. */
function tooltipOf(owner: HTMLElement): Shown | undefined {
  const { tooltip, shortcut } = owner.dataset;
  // No tooltip over what the button has opened.
  if (!owner.isConnected || tooltip === undefined || owner.getAttribute('aria-expanded') === 'true') return undefined;
  return { text: tooltip, shortcut: shortcut as ShortcutId | undefined, box: owner.getBoundingClientRect() };
}

const ownerOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-tooltip]') : null;

/**
 * Shows the tooltips of all elements with `data-tooltip`, with the keys of their `data-shortcut`. They are hidden from
 * assistive technology, because they only repeat accessible names.
 */
export default function TooltipLayer() {
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    let owner: HTMLElement | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hiddenAt = -NEXT_MS;
    let isShown = false;
    const refresh = () => {
      const tooltip = owner === null ? undefined : tooltipOf(owner);
      if (tooltip === undefined) hide();
      else setShown(tooltip);
    };
    const changes = new MutationObserver(refresh);
    // An element that is removed loses its size.
    const sizes = new ResizeObserver(refresh);
    const hide = () => {
      clearTimeout(timer);
      changes.disconnect();
      sizes.disconnect();
      owner = null;
      if (!isShown) return;
      isShown = false;
      hiddenAt = performance.now();
      setShown(undefined);
    };
    const showFor = (next: HTMLElement, delay: number) => {
      owner = next;
      timer = setTimeout(() => {
        if (tooltipOf(next) === undefined) return;
        isShown = true;
        refresh();
        changes.observe(next, { attributeFilter: ['data-tooltip', 'data-shortcut', 'aria-expanded'] });
        sizes.observe(next);
      }, delay);
    };
    const onPointerOver = ({ target, pointerType }: PointerEvent) => {
      const next = ownerOf(target);
      if (next === owner) return;
      hide();
      if (next !== null && pointerType === 'mouse')
        showFor(next, performance.now() - hiddenAt < NEXT_MS ? 0 : DELAY_MS);
    };
    const onFocusIn = ({ target }: FocusEvent) => {
      const next = ownerOf(target);
      if (next === owner) return;
      hide();
      if (next?.matches(':focus-visible')) showFor(next, DELAY_MS);
    };
    const hiding = ['pointerdown', 'keydown', 'scroll', 'blur'] as const;
    document.addEventListener('pointerover', onPointerOver);
    document.addEventListener('focusin', onFocusIn);
    for (const type of hiding) addEventListener(type, hide, true);
    return () => {
      hide();
      document.removeEventListener('pointerover', onPointerOver);
      document.removeEventListener('focusin', onFocusIn);
      for (const type of hiding) removeEventListener(type, hide, true);
    };
  }, []);
  if (shown === undefined) return null;
  const { text, shortcut, box } = shown;
  return (
    <Radix.Provider>
      <Radix.Root open>
        <Radix.Trigger asChild>
          <span
            aria-hidden
            className="pointer-events-none fixed"
            style={{ left: box.left, top: box.top, width: box.width, height: box.height }}
          />
        </Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            aria-hidden
            sideOffset={5}
            collisionPadding={6}
            className="pointer-events-none z-60 flex max-w-72 items-center gap-2 rounded-md border border-line bg-raised px-2 py-1 text-xs shadow-float"
          >
            {text}
            {shortcut === undefined ? null : <ShortcutKeys id={shortcut} />}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
