'use client';

import { Command } from 'cmdk';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

export const ITEM_CLASS =
  'flex cursor-pointer items-center gap-2.5 rounded-sm px-3 py-1.5 text-sm data-[selected=true]:bg-hover';

export const GROUP_CLASS =
  '**:[[cmdk-group-heading]]:px-3 **:[[cmdk-group-heading]]:py-1 **:[[cmdk-group-heading]]:text-muted **:[[cmdk-group-heading]]:text-xs';

interface PaletteItemProps {
  /** Identifies the item in the palette. The search is compared with the keywords or, without any, with this. */
  value: string;
  keywords?: string[];
  icon: LucideIcon;
  onSelect(): void;
  children: ReactNode;
}

/**
 * An item that can be chosen in the command palette: an icon, and the children beside it. `value`: identifies the item.
 * `keywords`: the texts with which the search is compared; by default, `value`.
 */
export function PaletteItem({ value, keywords, icon: Icon, onSelect, children }: PaletteItemProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className={ITEM_CLASS}
      {...(keywords !== undefined && { keywords })}
    >
      <Icon aria-hidden size={15} className="shrink-0 text-muted" />
      {children}
    </Command.Item>
  );
}
