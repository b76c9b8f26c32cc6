import type { PathChange } from './file-changes.ts';
import type { Author, Version } from './file-system.ts';
import type { HistoryCommit } from './history.ts';

/** The longest pause between two edits by the user that belong to one entry, in milliseconds. */
const TYPING_PAUSE_MS = 60_000;

/**
 * The steps (commits, see `Step`) that the user sees as one entry: all steps of a call, one stretch of typing in a file with no
 * pause of more than a minute, or any other single step.
 */
export interface TimelineEntry {
  author: Author;
  /** Newest first. */
  sequences: readonly Version[];
  /** When the newest step was made, in milliseconds since the epoch. */
  time: number;
  /** The change to each path, from before the first step to after the last. */
  changes: readonly PathChange[];
}

/**
 * Groups the commits of a history into the entries of the timeline that the user sees (`TimelineEntry`). Both lists are
 * newest first. Commits without changes are left out.
 */
export function toTimeline(steps: readonly HistoryCommit[]): TimelineEntry[] {
  const groups: HistoryCommit[][] = [];
  const ofCall = new Map<string, HistoryCommit[]>();
  for (const step of steps) {
    if (step.changes.length === 0) continue;
    const group = step.author.type === 'call' ? ofCall.get(step.author.toolCallId) : typingBefore(groups.at(-1), step);
    if (group !== undefined) {
      group.push(step);
      continue;
    }
    const started = [step];
    groups.push(started);
    if (step.author.type === 'call') ofCall.set(step.author.toolCallId, started);
  }
  return groups.map(toEntry);
}

/**
 * Returns the group if a typing step belongs to it: the group's oldest step is typing in the same file, and followed shortly
 * afterwards. Otherwise undefined.
 */
function typingBefore(group: HistoryCommit[] | undefined, step: HistoryCommit): HistoryCommit[] | undefined {
  const next = group?.at(-1);
  if (next === undefined || next.time - step.time > TYPING_PAUSE_MS) return undefined;
  const path = typedPath(next);
  return path !== undefined && path === typedPath(step) ? group : undefined;
}

/** The file that a typing step changed; undefined for any other step, including one that creates the file. */
function typedPath({ author, changes }: HistoryCommit): string | undefined {
  const [change, ...others] = changes;
  const isTyping = author.type === 'person' && author.isTyping === true && author.restored === undefined;
  return isTyping && others.length === 0 && change?.before !== undefined ? change.path : undefined;
}

function toEntry(group: readonly HistoryCommit[]): TimelineEntry {
  const [newest] = group as [HistoryCommit];
  const changes = new Map<string, PathChange>();
  for (const step of group.toReversed()) {
    for (const { path, before, after } of step.changes) {
      const first = changes.get(path);
      changes.set(path, {
        path,
        ...withSide('before', first === undefined ? before : first.before),
        ...withSide('after', after),
      });
    }
  }
  return {
    author: newest.author,
    sequences: group.map(({ sequence }) => sequence),
    time: newest.time,
    // Something that was created and removed again is not a change.
    changes: [...changes.values()].filter(({ before, after }) => before !== undefined || after !== undefined),
  };
}

const withSide = <Side extends 'before' | 'after'>(side: Side, state: PathChange[Side]): Partial<PathChange> =>
  state === undefined ? {} : { [side]: state };
