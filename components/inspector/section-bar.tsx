'use client';

import { useMessages } from '#components/i18n/i18n.tsx';
import { useCompactionTexts } from '#components/i18n/use-compaction-texts.ts';
import type { PromptSections } from '#lib/messages/message.ts';

const COLORS: Readonly<Record<keyof PromptSections, string>> = {
  system: 'bg-line-strong',
  project: 'bg-muted',
  tools: 'bg-accent',
  protocol: 'bg-accent/55',
  summary: 'bg-waiting',
  history: 'bg-done',
  files: 'bg-denied',
  results: 'bg-denied/55',
};

const NAMES = Object.keys(COLORS) as (keyof PromptSections)[];

interface SectionBarProps {
  /** The accessible name of the bar. */
  label: string;
  sections: PromptSections;
  /** The room for the prompt, in tokens. */
  roomTokens: number;
}

/**
 * A bar that shows how many tokens each section of a prompt takes, and how many are free of `roomTokens`, those that the
 * prompt may have. Lists these numbers below the bar.
 */
export function SectionBar({ label, sections: given, roomTokens }: SectionBarProps) {
  const t = useMessages();
  const texts = useCompactionTexts();
  const compact = new Intl.NumberFormat(t.locale, { notation: 'compact', maximumFractionDigits: 1 });
  const sections = { project: 0, ...given };
  const used = NAMES.reduce((sum, name) => sum + sections[name], 0);
  const free = Math.max(0, roomTokens - used);
  const whole = Math.max(1, used + free);
  const shown = NAMES.filter((name) => sections[name] > 0);
  const words = [
    ...shown.map((name) => [texts.sections[name], sections[name]] as const),
    [texts.sections.free, free] as const,
  ];
  return (
    <div className="my-2">
      <div
        role="img"
        aria-label={`${label}: ${t.controls.listed(words.map(([name, tokens]) => `${name} ${compact.format(tokens)}`))}`}
        className="flex h-3 w-full overflow-hidden rounded-sm border border-line bg-active forced-color-adjust-none"
      >
        {shown.map((name) => (
          <span
            key={name}
            title={`${texts.sections[name]}: ${compact.format(sections[name])}`}
            className={`h-full border-surface border-r last:border-r-0 ${COLORS[name]}`}
            style={{ width: `${(sections[name] / whole) * 100}%` }}
          />
        ))}
      </div>
      <ul aria-hidden className="mt-1.5 flex flex-wrap gap-x-4 gap-y-0.5 text-muted text-xs tabular-nums">
        {shown.map((name) => (
          <li key={name} className="flex items-center gap-1.5">
            <span className={`size-2 rounded-full forced-color-adjust-none ${COLORS[name]}`} />
            {texts.sections[name]} {compact.format(sections[name])}
          </li>
        ))}
        <li className="flex items-center gap-1.5">
          <span className="size-2 rounded-full border border-line-strong bg-active" />
          {texts.sections.free} {compact.format(free)}
        </li>
      </ul>
    </div>
  );
}
