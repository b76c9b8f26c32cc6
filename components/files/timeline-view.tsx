'use client';

import { Bot, FolderClock, History, Undo2, UserRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStudio, useTools } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { timelineTexts } from '#components/i18n/timeline-texts.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { undoProblem } from '#components/review/undo-problem.ts';
import { Button, IconButton } from '#components/ui/button.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { COMPACTION_AUTHOR } from '#lib/threads/compaction-author.ts';
import type { ToolVerb } from '#lib/tools/core/presentation.ts';
import { changeType, type PathChange } from '#lib/vfs/file-changes.ts';
import { type TimelineEntry, toTimeline } from '#lib/vfs/timeline.ts';
import { comparedContent } from '#studio/editing/compared-content.ts';
import type { OpenedWorkspace } from '#studio/opened-workspace.ts';

/** The number of history steps that are loaded at a time. */
const STEPS_AT_ONCE = 300;

/** The number of files of one entry that are shown at first. */
const SHOWN_CHANGES = 20;

/**
 * The history of the workspace's files, newest first. The changes of each entry can be viewed and undone, and the files
 * restored to their state after it.
 */
export default function TimelineView({ workspace }: { workspace: OpenedWorkspace }) {
  const t = useAllMessages();
  const texts = t.timeline ?? timelineTexts;
  const { edits } = useStudio();
  const [wanted, setWanted] = useState(STEPS_AT_ONCE);
  const { entries, hasMore, isForgotten } = useTimeline(workspace, wanted);
  const [notice, setNotice] = useState<{ text: string; failed: boolean }>();
  const attempt = async (work: () => Promise<string>) => {
    try {
      await edits.saveUnder(workspace.id, '/');
      setNotice({ text: await work(), failed: false });
    } catch (error) {
      setNotice({ text: undoProblem(error, t), failed: true });
    }
  };
  if (entries === undefined) return null;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {notice === undefined ? null : (
        <p
          role={notice.failed ? 'alert' : 'status'}
          className={`shrink-0 px-3 py-2 text-sm ${notice.failed ? 'bg-failed-soft' : 'bg-sunken'}`}
        >
          {notice.text}
        </p>
      )}
      <ol aria-label={t.files.views.timeline} className="min-h-0 flex-1 overflow-y-auto p-2">
        {entries.length === 0 ? <li className="p-1 text-muted text-sm">{texts.empty}</li> : null}
        {entries.map((entry) => (
          <Entry key={entry.sequences.at(-1)} workspace={workspace} entry={entry} attempt={attempt} />
        ))}
        {hasMore ? (
          <li className="p-1">
            <Button onClick={() => setWanted(wanted + STEPS_AT_ONCE)}>{texts.more}</Button>
          </li>
        ) : null}
        {!hasMore && isForgotten ? <li className="p-1 text-muted text-xs">{texts.forgotten}</li> : null}
      </ol>
    </div>
  );
}

function useTimeline({ history, fileSystem }: OpenedWorkspace, wanted: number) {
  const [timeline, setTimeline] = useState<{ entries?: TimelineEntry[]; hasMore: boolean; isForgotten: boolean }>({
    hasMore: false,
    isForgotten: false,
  });
  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      const start = Math.max(history.floor, history.sequence - wanted);
      const entries = toTimeline(await history.steps(start));
      if (isCurrent) setTimeline({ entries, hasMore: start > history.floor, isForgotten: history.floor > 0 });
    };
    // If reading fails, the shown entries stay until the next change reads them again.
    const update = () => void read().catch(() => undefined);
    update();
    const unwatch = fileSystem.watch(update);
    return () => {
      isCurrent = false;
      unwatch();
    };
  }, [history, fileSystem, wanted]);
  return timeline;
}

interface EntryProps {
  workspace: OpenedWorkspace;
  entry: TimelineEntry;
  attempt(work: () => Promise<string>): Promise<void>;
}

function Entry({ workspace, entry, attempt }: EntryProps) {
  const t = useAllMessages();
  const texts = t.timeline ?? timelineTexts;
  const { history, files } = workspace;
  const { author, sequences, changes, time } = entry;
  const [shown, setShown] = useState(SHOWN_CHANGES);
  const newest = sequences[0] ?? 0;
  const isNewest = newest === history.sequence;
  const name = useAuthorName(entry);
  const undo = () =>
    attempt(async () => {
      // All steps of a call, no matter how far back.
      const own = author.type === 'call' ? await history.sequencesOf(author.toolCallId) : sequences;
      await history.undo({ type: 'person' }, own);
      return texts.undone;
    });
  const restore = () => attempt(async () => ((await files.move(newest)) ? texts.restored : t.moves.busyNow));
  return (
    <li className="group/step mb-1 rounded-md border border-line">
      <div className="flex flex-wrap items-center gap-x-2 pt-1 pr-1 pl-2">
        <span className="shrink-0 text-muted">
          {author.restored !== undefined ? (
            <History aria-hidden size={14} />
          ) : author.type === 'call' ? (
            <Bot aria-hidden size={14} />
          ) : (
            <UserRound aria-hidden size={14} />
          )}
        </span>
        <span className="min-w-32 flex-1 truncate text-sm" title={name}>
          {name}
        </span>
        <time dateTime={new Date(time).toISOString()} className="grow text-muted text-xs tabular-nums">
          {new Date(time).toLocaleTimeString(t.locale, { hour: '2-digit', minute: '2-digit' })}
        </time>
        <IconButton label={texts.undo(name)} size="small" onClick={() => void undo()}>
          <Undo2 aria-hidden size={14} />
        </IconButton>
        <IconButton label={texts.restore(name)} size="small" disabled={isNewest} onClick={() => void restore()}>
          <FolderClock aria-hidden size={14} />
        </IconButton>
      </div>
      <ul className="pb-1">
        {changes.slice(0, shown).map((change) => (
          <ChangedFile
            key={change.path}
            change={change}
            label={`${name}, ${new Date(time).toLocaleString(t.locale)}`}
          />
        ))}
        {changes.length > shown ? (
          <li className="px-2">
            <Button variant="ghost" onClick={() => setShown(changes.length)}>
              {texts.moreFiles(changes.length - shown)}
            </Button>
          </li>
        ) : null}
      </ul>
    </li>
  );
}

const MARKS = { created: 'A', changed: 'M', deleted: 'D' } as const;
const COLORS = { created: 'text-done', changed: 'text-running', deleted: 'text-failed' } as const;

function ChangedFile({ change: { path, before, after }, label }: { change: PathChange; label: string }) {
  const t = useAllMessages();
  const texts = t.timeline ?? timelineTexts;
  const { showEditor } = useWorkbench();
  const { tabs } = useStudio();
  const type = changeType(before, after);
  const isFile = (after ?? before)?.type === 'file';
  const content = (
    <>
      <span title={texts.kinds[type]} className={`w-4 shrink-0 text-center text-xs ${COLORS[type]}`}>
        <span aria-hidden>{MARKS[type]}</span>
        <span className="sr-only">{texts.kinds[type]}</span>
      </span>
      <span className="truncate">{visibleText(path)}</span>
    </>
  );
  const className = 'flex w-full items-center gap-1 px-2 py-0.5 text-left font-mono text-[13px]';
  if (!isFile) return <li className={className}>{content}</li>;
  const show = () => {
    tabs.openDiff(path, { before: comparedContent(before), after: comparedContent(after), label });
    showEditor();
  };
  return (
    <li>
      <button type="button" onClick={show} className={`${className} hover:bg-hover`}>
        {content}
      </button>
    </li>
  );
}

/** Returns a few words about who made the changes of an entry, and how. */
function useAuthorName({ author, changes }: TimelineEntry): string {
  const t = useAllMessages();
  const tools = useTools();
  const texts = t.timeline ?? timelineTexts;
  const { store } = useStudio();
  const toolCallId = author.type === 'call' ? author.toolCallId : undefined;
  const [toolName, setToolName] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    if (toolCallId !== undefined)
      store.get(toolCallId).then(
        (entry) => {
          if (isCurrent) setToolName(entry?.result?.toolName);
        },
        // Without its call, the change is shown as the model’s.
        () => undefined,
      );
    return () => {
      isCurrent = false;
    };
  }, [store, toolCallId]);
  if (author.restored !== undefined) return texts.wentBack;
  if (author.type === 'person') return texts.byPerson;
  if (author.toolCallId.startsWith(COMPACTION_AUTHOR)) return texts.byStudio;
  if (toolName === undefined) return texts.byModel(undefined);
  const verb = tools.get(toolName)?.presentation.verb ?? 'call';
  if (verb === 'call') return texts.byTool(toolName);
  const [only] = changes.length === 1 && NAMES_FILE.has(verb) ? changes : [];
  return texts.byModel(
    only === undefined
      ? t.tools.foldedVerbs[verb](1, changes.length)
      : `${t.tools.verbs[verb].done} ${visibleText(only.path.slice(only.path.lastIndexOf('/') + 1))}`,
  );
}

/** The verbs of tools after which an entry's changed file is named, if it is the only one. */
const NAMES_FILE: ReadonlySet<ToolVerb> = new Set(['write', 'edit', 'delete', 'make-directory']);
