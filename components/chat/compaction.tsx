'use client';

import { FoldVertical, Info } from 'lucide-react';
import { useKeptState, useReveal } from '#components/hooks/kept-state.ts';
import { useModels, useSession, useThreads } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useCompactionTexts } from '#components/i18n/use-compaction-texts.ts';
import { SectionBar } from '#components/inspector/section-bar.tsx';
import { Button } from '#components/ui/button.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import type { CompactionPart, Message, PromptSections } from '#lib/messages/message.ts';
import { findModel, nameOfGone } from '#studio/models.ts';
import { Markdown } from '../markdown/markdown.tsx';

interface CompactionProps {
  /** The name of the compaction's part of the message, as `partName` gives it. */
  name: string;
  part: CompactionPart;
}

/**
 * A compaction in a turn, which is a point from which prompts have a summary instead of what came before: the summary, or
 * the reason why there is none.
 */
export default function Compaction({ name, part }: CompactionProps) {
  return part.failed === undefined ? <Summary name={name} part={part} /> : <Failure failed={part.failed} />;
}

function Failure({ failed: { reason, model: id, detail } }: { failed: NonNullable<CompactionPart['failed']> }) {
  const texts = useCompactionTexts();
  const model = useModels((state) => findModel(state, id));
  return (
    <p className="my-block flex items-start gap-2 text-muted text-sm">
      <Info aria-hidden size={15} className="mt-1 shrink-0" />
      <span>{texts.failed(reason, model?.name ?? nameOfGone(id), detail)}</span>
    </p>
  );
}

/**
 * The standing of a compaction: used in prompts, undone, undone so that prompts use an earlier one, or replaced by a later
 * one.
 */
type Standing = 'used' | 'undone' | 'undone-to-earlier' | 'replaced';

/**
 * Returns the standing of a compaction in a branch, where prompts use only the latest summary that was not undone. A
 * compaction without a summary is never replaced.
 */
function standingOf(branch: readonly Message[], own: CompactionPart): Standing {
  let isEarlier = false;
  // From the end, because most cards are looked at while the end is written.
  for (let at = branch.length - 1; at >= 0; at--) {
    const message = branch[at];
    if (message?.role !== 'assistant') continue;
    for (let index = message.parts.length - 1; index >= 0; index--) {
      const part = message.parts[index];
      if (part?.type !== 'compaction') continue;
      if (part.id === own.id) {
        if (own.undone !== true) return 'used';
        isEarlier = true;
      } else if (part.summary !== undefined && part.undone !== true)
        return isEarlier ? 'undone-to-earlier' : own.summary === undefined ? 'used' : 'replaced';
    }
  }
  return own.undone === true ? 'undone' : 'used';
}

const NO_MESSAGES: readonly Message[] = [];

/** A compaction that succeeded, with its sizes. It can be undone and redone unless a later one has replaced it. */
function Summary({ name, part }: CompactionProps) {
  const t = useMessages();
  const texts = useCompactionTexts();
  const session = useThreads((state) => state.session);
  const busy = useSession(session, (snapshot) => snapshot.busy) ?? true;
  const standing = useSession(session, ({ branch }) => standingOf(branch, part)) ?? standingOf(NO_MESSAGES, part);
  const [open, setOpen] = useKeptState(name, false);
  useReveal(name, [name], () => setOpen(true));
  const { summary, stubs, before, after } = part;
  const isUndone = part.undone === true;
  const compact = new Intl.NumberFormat(t.locale, { notation: 'compact', maximumFractionDigits: 1 });
  const title = summary === undefined ? texts.stubbed(stubs.length) : texts.summarized;
  const notes = [
    standing === 'used' ? undefined : texts.standings[standing],
    summary?.leftOut === undefined || standing !== 'used' ? undefined : texts.leftOut(summary.leftOut),
  ].filter((note) => note !== undefined);
  return (
    <section data-part={name} aria-label={title} className="my-block rounded-md border border-line bg-sunken">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 text-sm">
        <FoldVertical aria-hidden size={15} className="shrink-0 text-muted" />
        <Disclosure
          open={open}
          onOpenChange={setOpen}
          className="min-w-0 flex-1 items-center gap-1 text-muted hover:text-text"
        >
          <span data-unsearched="" className={standing === 'used' ? '' : 'line-through'}>
            {title}
          </span>
        </Disclosure>
        <span data-unsearched="" className="text-muted text-xs tabular-nums">
          {texts.sizes(compact.format(totalOf(before)), compact.format(totalOf(after)))}
        </span>
        {session === undefined || standing === 'replaced' ? null : (
          <Button isBusy={busy} onClick={() => void session.undoCompaction(part.id, !isUndone)}>
            {isUndone ? texts.redo : texts.undo}
          </Button>
        )}
      </div>
      {notes.map((note) => (
        <p key={note} data-unsearched="" className="px-3 pb-2 text-muted text-sm">
          {note}
        </p>
      ))}
      {open ? <Details name={name} part={part} isUsed={standing === 'used'} /> : null}
    </section>
  );
}

function Details({
  name,
  part: { summary, stubs, roomTokens, before, after },
  isUsed,
}: CompactionProps & { isUsed: boolean }) {
  const texts = useCompactionTexts();
  const model = useModels((state) => findModel(state, summary?.model ?? null));
  return (
    <div className="border-line border-t px-3 py-2">
      <div data-unsearched="" className="text-muted text-sm">
        {summary === undefined || !isUsed ? null : (
          <p>
            {texts.detail(model?.name ?? nameOfGone(summary.model))}
            {summary.hasFiles === true ? ` ${texts.files}` : ''}
          </p>
        )}
        {stubs.length === 0 ? null : <p>{texts.stubsDetail(stubs.length)}</p>}
        <p className="mt-2 text-xs">{texts.before}</p>
        <SectionBar label={texts.before} sections={before} roomTokens={roomTokens} />
        <p className="mt-2 text-xs">{texts.after}</p>
        <SectionBar label={texts.after} sections={after} roomTokens={roomTokens} />
      </div>
      {summary === undefined ? null : (
        <div className="mt-3 border-line border-t pt-2">
          <Markdown text={summary.text} name={name} streaming={false} />
        </div>
      )}
    </div>
  );
}

const totalOf = (sections: PromptSections): number => Object.values(sections).reduce((sum, tokens) => sum + tokens, 0);
