'use client';

import { type LucideIcon, Pencil } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '#components/ui/button.tsx';
import { Switch } from '#components/ui/switch.tsx';
import { usePutToUse } from './use-put-to-use.ts';

interface SourceRowProps {
  name: string;
  toolset: string;
  isOn: boolean;
  sources: { turn(name: string, isOn: boolean): Promise<void> };
  /** The label of the switch. */
  label: string;
  /** The host of the source, and what it offers, in words. */
  about: readonly string[];
  /** The label of the button that opens the source. */
  editLabel: string;
  EditIcon?: LucideIcon;
  onEdit(): void;
  /** Further lines of the row, such as a problem. */
  children: ReactNode;
}

/**
 * The row of a tool server or an HTTP API in the settings: a switch, which turns it on or off, with `about` below, and a
 * button that calls `onEdit`. Turning it on also turns on its tools in the open and in new threads.
 */
export function SourceRow({
  name,
  toolset,
  isOn,
  sources,
  label,
  about,
  editLabel,
  EditIcon = Pencil,
  onEdit,
  children,
}: SourceRowProps) {
  const putToUse = usePutToUse();
  return (
    <li className="rounded-md border border-line p-1 text-sm">
      <div className="flex items-center gap-1">
        <div className="min-w-0 flex-1">
          <Switch
            label={label}
            shown={name}
            help={about.join(' · ')}
            isOn={isOn}
            onChange={() => {
              void sources.turn(name, !isOn);
              if (!isOn) putToUse(toolset);
            }}
          />
        </div>
        <IconButton label={editLabel} size="small" onClick={onEdit}>
          <EditIcon aria-hidden size={14} />
        </IconButton>
      </div>
      {children}
    </li>
  );
}
