'use client';

import type { AllMessages } from '#components/i18n/catalog.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import type { MoveAnswer, MoveQuestion } from '#lib/threads/branch-files.ts';

/** The number of files that are listed by name; the rest are only counted. */
const SHOWN_FILES = 100;

interface MoveFilesDialogProps {
  question: MoveQuestion;
  answer(answer: MoveAnswer): void;
}

/**
 * Asks before the files of a workspace go back to an earlier state: names what the person or other threads have changed
 * since, which this would undo, or which threads are using the files. Says so if the history no longer has that state.
 * `answer`: called with the choice; `stay` keeps the files as they are.
 */
export default function MoveFilesDialog({ question, answer }: MoveFilesDialogProps) {
  const t = useAllMessages();
  const { action, type } = question;
  const cancel = () => answer('cancel');
  const canMove = type !== 'forgotten';
  return (
    <Dialog open onOpenChange={cancel} title={t.moves.titles[type]} description={t.moves.details[type]}>
      <Named question={question} />
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button data-initial-focus onClick={cancel}>
          {t.common.cancel}
        </Button>
        {action === 'branch' ? <Button onClick={() => answer('stay')}>{t.moves.stay}</Button> : null}
        {canMove ? (
          <Button variant="primary" onClick={() => answer('move')}>
            {type === 'busy' ? t.common.retry : t.moves.move}
          </Button>
        ) : null}
      </div>
    </Dialog>
  );
}

function Named({ question }: { question: MoveQuestion }) {
  const t = useAllMessages();
  const names = namesIn(question, t);
  if (names.length === 0) return null;
  return (
    <>
      <ul className="max-h-60 overflow-y-auto rounded-md border border-line p-2 text-[13px]">
        {names.slice(0, SHOWN_FILES).map(({ name, detail }) => (
          <li key={name} className="flex gap-3">
            <span className="min-w-0 flex-1 truncate font-mono">{visibleText(name)}</span>
            <span className="shrink-0 text-muted">{detail}</span>
          </li>
        ))}
      </ul>
      {names.length > SHOWN_FILES ? (
        <p className="mt-1 text-muted text-sm">{t.moves.more(names.length - SHOWN_FILES)}</p>
      ) : null}
    </>
  );
}

function namesIn(question: MoveQuestion, t: AllMessages): { name: string; detail: string }[] {
  switch (question.type) {
    case 'others':
      return question.changes.map(({ path, by }) => ({ name: path, detail: t.moves.by[by] }));
    case 'busy':
      return question.threads.map(({ title, activity }) => ({
        name: title || t.threads.untitled,
        detail: activity === 'settled' ? '' : t.threads.activity[activity],
      }));
    default:
      return [];
  }
}
