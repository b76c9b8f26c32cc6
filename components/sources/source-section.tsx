'use client';

import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Section } from '#components/ui/section.tsx';

/** The texts of a section, which differ from kind to kind. */
export interface SectionTexts {
  title: string;
  help: string;
  /** Shown without any source. */
  none: string;
  /** The label of the list. */
  list: string;
  full(max: number): string;
  add: string;
  import: string;
}

interface SourceSectionProps {
  texts: SectionTexts;
  /** A row for each source. */
  rows: readonly ReactNode[];
  /** The most sources that a person can add, and whether they have. */
  max: number;
  isFull: boolean;
  onAdd(): void;
  onImport(): void;
  /** The open dialog. */
  children: ReactNode;
}

/** The sources of one kind in the settings, and the buttons that add some. */
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
