import { Info, Lightbulb, type LucideIcon, MessageSquareWarning, OctagonAlert, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMarkdownTexts } from '#components/i18n/use-markdown-texts.ts';
import { ALERT_KINDS, type AlertKind } from './alerts.ts';

const LOOKS: Record<AlertKind, { Icon: LucideIcon; color: string; edge: string }> = {
  note: { Icon: Info, color: 'text-accent', edge: 'border-accent' },
  tip: { Icon: Lightbulb, color: 'text-done', edge: 'border-done' },
  important: { Icon: MessageSquareWarning, color: 'text-accent', edge: 'border-accent' },
  warning: { Icon: TriangleAlert, color: 'text-denied', edge: 'border-denied' },
  caution: { Icon: OctagonAlert, color: 'text-failed', edge: 'border-failed' },
};

/**
 * Shows an alert of GitHub's Markdown, such as a note or a warning, with its kind as its title. A `kind` that is not one of
 * `ALERT_KINDS` counts as a note.
 */
export function AlertBox({ kind, children }: { kind: unknown; children: ReactNode }) {
  const texts = useMarkdownTexts();
  const known = ALERT_KINDS.find((one) => one === kind) ?? 'note';
  const { Icon, color, edge } = LOOKS[known];
  const title = texts.alerts[known];
  return (
    <aside aria-label={title} className={`my-block border-s-3 ps-3 ${edge}`}>
      <p data-unsearched="" className={`flex items-center gap-1.5 font-semibold ${color}`}>
        <Icon aria-hidden size={16} />
        {title}
      </p>
      {children}
    </aside>
  );
}
