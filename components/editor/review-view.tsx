'use client';

import { ArrowDown, ArrowUp } from 'lucide-react';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useSession, useStudio, useThreads, useTools } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useChangeTexts } from '#components/i18n/use-change-texts.ts';
import { FileChange } from '#components/review/file-change.tsx';
import { LaterFiles } from '#components/review/later-files.tsx';
import { UnshownFiles } from '#components/review/unshown-files.tsx';
import { useCallReview } from '#components/review/use-call-review.ts';
import { Button, IconButton } from '#components/ui/button.tsx';
import { focusComposerIfNoFocus } from '#components/ui/focus.ts';
import { keyName } from '#components/ui/keys.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import type { ThreadSnapshot } from '#lib/threads/thread-record.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';
import { textOrBytes } from '#lib/vfs/text.ts';
import { type FileReview, outcomesOf } from '#lib/workspace/review/file-review.ts';
import { type PendingReview, pendingReviews } from '#studio/pending-reviews.ts';
import type { CallReview, ReviewedPath } from '#studio/reviews.ts';
import { monaco } from './monaco.ts';
import { EDITOR_CONTAINER, useDiffSettings, useEditorSettings, useEditorTheme } from './options.ts';
import { type ReviewEditor, useReviewedModels } from './reviewed-models.ts';

interface ReviewViewProps {
  path: string;
  toolCallId: string;
  onClose(): void;
}

/** Checks whether a call has its result, because it was answered in another view, or stopped. */
const hasResult = (branch: ThreadSnapshot['branch'], toolCallId: string): boolean =>
  branch.some(({ parts }) =>
    parts.some((part) => part.type === 'tool-call' && part.toolCallId === toolCallId && part.result !== undefined),
  );

/**
 * Reviews a call's changes before they are written: each of them can be kept, rejected, or edited. Calls `onClose` once the
 * call has its result.
 */
export default function ReviewView({ path, toolCallId, onClose }: ReviewViewProps) {
  const t = useChangeTexts();
  const session = useThreads((state) => state.session);
  const tools = useTools();
  const isAsking = useSession(session, ({ asking }) => asking.includes(toolCallId)) ?? false;
  const isAnswered = useSession(session, ({ branch }) => hasResult(branch, toolCallId)) ?? false;
  useEffect(() => {
    if (isAnswered) onClose();
  }, [isAnswered, onClose]);
  useEditorTheme();
  const waiting = session === undefined ? [] : pendingReviews(session, tools);
  if (session !== undefined && isAsking) {
    const later = waiting.filter((one) => one.toolCallId !== toolCallId);
    return <Review key={toolCallId} session={session} path={path} toolCallId={toolCallId} later={later} />;
  }
  return waiting.some((one) => one.toolCallId === toolCallId) ? (
    <p role="status" className="flex items-center gap-2 p-4 text-muted text-sm">
      <Spinner />
      {t.isNext(visibleText(path))}
    </p>
  ) : (
    <p className="p-4 text-muted text-sm">{t.answered}</p>
  );
}

/**
 * Tracks whether a key or the pointer was pressed last. A key that repeats because it is still held down was pressed for the
 * previous review, and must not accept this one, too.
 */
function useLatestPress(): RefObject<'key' | 'repeated-key' | 'pointer'> {
  const latest = useRef<'key' | 'repeated-key' | 'pointer'>('pointer');
  useEffect(() => {
    const onKey = ({ repeat }: KeyboardEvent) => {
      latest.current = repeat ? 'repeated-key' : 'key';
    };
    const onPointer = () => {
      latest.current = 'pointer';
    };
    addEventListener('keydown', onKey, true);
    addEventListener('pointerdown', onPointer, true);
    return () => {
      removeEventListener('keydown', onKey, true);
      removeEventListener('pointerdown', onPointer, true);
    };
  }, []);
  return latest;
}

/** Moves the focus to the message box when the turn is no longer busy, unless something else has the focus by then. */
function catchFocusAfterTurn({ getSnapshot, subscribe }: ThreadSession): void {
  const check = () => {
    if (getSnapshot().busy) return;
    unsubscribe();
    focusComposerIfNoFocus();
  };
  const unsubscribe = subscribe(check);
  check();
}

interface ReviewProps extends Omit<ReviewViewProps, 'onClose'> {
  session: ThreadSession;
  /** The calls of tools whose changes are reviewed after this one. */
  later: readonly PendingReview[];
}

function Review({ session, path, toolCallId, later }: ReviewProps) {
  const t = useChangeTexts();
  const { tabs } = useStudio();
  const { showChat } = useWorkbench();
  const { review, state } = useCallReview(session, toolCallId);
  const latest = useLatestPress();
  const { files = [], uncompared, isStale, problem, rebased, note } = state;
  const file = files.find((one) => one.path === path) ?? files[0];
  /** Whether all changes are rejected, so that nothing would be written. */
  const isRejected = files.every(({ text, isAccepted }) =>
    text === undefined ? !isAccepted : text.text === text.base,
  );
  const total = files.length + uncompared.length;
  if (review === undefined || file === undefined) {
    if (problem !== undefined)
      return <p className="p-4 text-failed text-sm">{t.fails(problem.split('\n', 1)[0] ?? '')}</p>;
    return uncompared.length === 0 ? null : (
      <div className="overflow-y-auto p-4 text-sm">
        <p>{t.notOneByOne}</p>
        <UnshownFiles files={uncompared} total={total} />
      </div>
    );
  }
  const turnId = session.getSnapshot().branch.at(-1)?.id ?? '';
  const finish = async (next: readonly PendingReview[] = later) => {
    const usesKeys = latest.current !== 'pointer';
    const isAnswered = await review.finish();
    // If the call asks about more than its changes, it is not answered here, and the conversation shows the question.
    if (!isAnswered) return false;
    const shown = next[0]?.isPlain === true ? next : [];
    tabs.endReview(toolCallId, { turnId, later: shown });
    if (shown.length > 0) return true;
    showChat();
    if (usesKeys) catchFocusAfterTurn(session);
    return true;
  };
  const acceptRest = async () => {
    if (!(await finish(later.filter(({ canBeAccepted }) => !canBeAccepted)))) return;
    for (const { toolCallId: id, canBeAccepted } of later)
      if (canBeAccepted) await session.answer(id, { type: 'allow', scope: 'once', isAhead: true });
  };
  return (
    <section
      aria-label={t.reviewTitle(file.path)}
      className="flex h-full min-h-0 flex-col"
      onKeyDown={(event) => {
        if (
          event.repeat ||
          event.key !== 'Enter' ||
          !(event.ctrlKey || event.metaKey) ||
          event.altKey ||
          event.defaultPrevented
        )
          return;
        event.preventDefault();
        void (event.shiftKey ? acceptRest() : finish());
      }}
    >
      {files.length + later.length > 1 ? (
        <nav
          aria-label={t.files}
          className="flex max-h-32 shrink-0 flex-wrap items-center gap-1 overflow-y-auto border-line border-b px-2 py-1"
        >
          {files.map((one) => (
            <Button
              key={one.path}
              variant="ghost"
              aria-current={one === file ? 'true' : undefined}
              className={one === file ? 'bg-active' : ''}
              onClick={() => tabs.openReview(one.path, toolCallId)}
            >
              <span className="break-all text-left font-mono text-[13px]">{visibleText(one.path)}</span>
            </Button>
          ))}
          <LaterFiles session={session} later={later} />
        </nav>
      ) : null}
      {isStale ? <p className="shrink-0 bg-waiting-soft px-3 py-1.5 text-sm">{t.isStale}</p> : null}
      {rebased === undefined ? null : (
        <p role="status" className="shrink-0 bg-waiting-soft px-3 py-1.5 text-sm">
          {rebased === 'whole' ? t.rebasedWhole : t.rebasedPartly}
        </p>
      )}
      {file.text === undefined ? (
        <WholeFile file={file} review={review} />
      ) : (
        <HunkEditor
          key={file.path}
          path={file.path}
          text={file.text}
          review={review}
          onFinish={() => latest.current === 'repeated-key' || void finish()}
          onAcceptRest={() => latest.current === 'repeated-key' || void acceptRest()}
        />
      )}
      {uncompared.length === 0 ? null : (
        <div className="shrink-0 border-line border-t bg-waiting-soft px-3 text-sm">
          <UnshownFiles files={uncompared} total={total} note={t.onlyIfAllKept(uncompared.length)} />
        </div>
      )}
      <div className="flex shrink-0 flex-wrap items-center gap-2 border-line border-t px-3 py-2">
        <input
          aria-label={t.noteForModel}
          placeholder={t.noteForModel}
          value={note}
          onChange={(event) => review.setNote(event.target.value)}
          className="h-8 min-w-48 flex-1 rounded-md border border-line-strong bg-surface px-2 text-sm"
        />
        <Button onClick={() => review.decideAll('reject')}>{t.rejectAll}</Button>
        <Button onClick={() => review.decideAll('keep')}>{t.keepAll}</Button>
        {later.some(({ canBeAccepted }) => canBeAccepted) ? (
          <Button
            data-tooltip={`${t.acceptRestHelp} (${keyName('Mod')}+Shift+Enter)`}
            onClick={() => void acceptRest()}
          >
            {t.acceptRest}
          </Button>
        ) : null}
        <Button
          variant="primary"
          data-tooltip={`${isRejected ? t.writeNone : t.write} (${keyName('Mod')}+Enter)`}
          onClick={() => void finish()}
        >
          {isRejected ? t.writeNone : t.write}
        </Button>
      </div>
    </section>
  );
}

/** The change of a file that is deleted or binary, which can only be kept or rejected as a whole. */
function WholeFile({ file, review }: { file: ReviewedPath; review: CallReview }) {
  const t = useChangeTexts();
  const { path, proposed, isAccepted } = file;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-3">
      <div className="flex items-center gap-2 pt-2 text-sm">
        <span className="flex-1">{t.outcomes[isAccepted ? 'kept' : 'rejected']}</span>
        <Button disabled={isAccepted} onClick={() => review.accept(path, true)}>
          {t.keep}
        </Button>
        <Button disabled={!isAccepted} onClick={() => review.accept(path, false)}>
          {t.reject}
        </Button>
      </div>
      <FileChange path={path} before={textOrBytes(proposed.before)} after={textOrBytes(proposed.after)} />
    </div>
  );
}

interface HunkEditorProps {
  path: string;
  text: FileReview;
  review: CallReview;
  onFinish(): void;
  onAcceptRest(): void;
}

/** The changes of a text: a list of hunks, and both texts side by side, of which the new one can be edited. */
function HunkEditor({ path, text, review, onFinish, onAcceptRest }: HunkEditorProps) {
  const t = useChangeTexts();
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<ReviewEditor>();
  const [current, setCurrent] = useState(0);
  const latest = useRef(text);
  latest.current = text;
  const outcomes = outcomesOf(text);

  const show = useCallback(
    (index: number) => {
      const count = latest.current.hunks.length;
      if (count === 0) return;
      const shown = ((index % count) + count) % count;
      setCurrent(shown);
      const line = (latest.current.regions[shown]?.start ?? 0) + 1;
      editor?.text.revealLineInCenter(line);
      editor?.text.setPosition({ lineNumber: line, column: 1 });
    },
    [editor],
  );
  const names = useDiffSettings(editor?.diff, { original: t.before(path), modified: t.proposed(path) });
  useEditorSettings(editor?.diff === undefined ? editor?.text : undefined);
  useReviewedModels(host, path, text, review, names, setEditor);
  useEffect(() => {
    // Opened by its button, or after the previous review: the editor gets the focus, so that the keys work at once.
    const focus = document.activeElement;
    if (focus === document.body || focus?.closest('[data-review-opener]') != null) editor?.text.focus();
  }, [editor]);
  const keys = useRef({ show, onFinish, onAcceptRest, current });
  keys.current = { show, onFinish, onAcceptRest, current };
  useEffect(() => {
    if (editor === undefined) return;
    const { KeyCode, KeyMod } = monaco;
    const go = (step: number) => () => keys.current.show(keys.current.current + step);
    for (const side of editor.diff === undefined ? [editor.text] : [editor.diff.getOriginalEditor(), editor.text]) {
      side.addCommand(KeyMod.Alt | KeyCode.F5, go(1));
      side.addCommand(KeyMod.Alt | KeyMod.Shift | KeyCode.F5, go(-1));
      side.addCommand(KeyMod.CtrlCmd | KeyCode.Enter, () => keys.current.onFinish());
      side.addCommand(KeyMod.CtrlCmd | KeyMod.Shift | KeyCode.Enter, () => keys.current.onAcceptRest());
    }
  }, [editor]);

  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <div className="flex max-h-32 shrink-0 items-start gap-2 overflow-y-auto border-line border-b px-2 py-1">
        <ol aria-label={t.hunks} className="flex min-w-0 flex-1 flex-wrap gap-1">
          {outcomes.map((outcome, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: hunks are told apart by their order
            <li key={index} className={`flex items-center rounded-md ${index === current ? 'bg-active' : ''}`}>
              <button
                type="button"
                aria-current={index === current ? 'true' : undefined}
                className="h-7 rounded-md px-2 text-sm hover:bg-hover"
                onClick={() => show(index)}
              >
                {t.hunk(index + 1, outcomes.length)}
                <span className={`ml-1 text-xs ${COLORS[outcome.type]}`}>{t.outcomes[outcome.type]}</span>
              </button>
              {outcome.type === 'kept' ? null : (
                <Button
                  variant="ghost"
                  aria-label={t.keepHunk(index + 1)}
                  className="h-7 px-2 text-done"
                  onClick={() => review.decide(path, index, 'keep')}
                >
                  {t.keep}
                </Button>
              )}
              {outcome.type === 'rejected' ? null : (
                <Button
                  variant="ghost"
                  aria-label={t.rejectHunk(index + 1)}
                  className="h-7 px-2 text-failed"
                  onClick={() => review.decide(path, index, 'reject')}
                >
                  {t.reject}
                </Button>
              )}
            </li>
          ))}
        </ol>
        <IconButton label={`${t.previous} (Shift+Alt+F5)`} size="small" onClick={() => show(current - 1)}>
          <ArrowUp aria-hidden size={14} />
        </IconButton>
        <IconButton label={`${t.next} (Alt+F5)`} size="small" onClick={() => show(current + 1)}>
          <ArrowDown aria-hidden size={14} />
        </IconButton>
      </div>
      <div ref={host} className={`${EDITOR_CONTAINER} min-h-0 flex-1`} />
    </div>
  );
}

const COLORS = { kept: 'text-done', rejected: 'text-failed', edited: 'text-running' } as const;
