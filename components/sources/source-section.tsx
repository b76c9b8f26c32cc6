'use client';

import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Section } from '#components/ui/section.tsx';

/** The texts of a section, which differ between tool servers and HTTP APIs. */
interface SectionTexts {
  title: string;
  help: string;
  /** Shown while there is no source. */
  none: string;
  /** The accessible name of the list. */
  list: string;
  full(max: number): string;
  add: string;
  import: string;
}

interface SourceSectionProps {
  texts: SectionTexts;
  /** A row for each source. */
  rows: readonly ReactNode[];
  /** The maximum number of sources that a person can add. */
  max: number;
  /** Whether the person has added as many sources as `max`. */
  isFull: boolean;
  onAdd(): void;
  onImport(): void;
  /** The dialog that is open, if any. */
  children: ReactNode;
}

/**
 * The section of the settings for tool servers or HTTP APIs: the list, and buttons to add and import some. `isFull`: whether
 * there are `max` of them, so that none can be added.
 */
export function SourceSection({ texts, rows, max, isFull, onAdd, onImport, children }: SourceSectionProps) {
  return (
    <Section title={texts.title} help={texts.help}>
      {rows.length === 0 ? (
        <p className="text-muted text-sm">{texts.none}</p>
      ) : (
        <ul aria-label={texts.list} className="grid gap-1">
          {rows}
        </ul>
      )}
      {isFull ? (
        <p className="text-muted text-sm">{texts.full(max)}</p>
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button onClick={onAdd}>{texts.add}</Button>
          <Button onClick={onImport}>{texts.import}</Button>
        </div>
      )}
      {children}
    </Section>
  );
}
