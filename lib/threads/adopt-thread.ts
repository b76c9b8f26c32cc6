import type { AssistantMessage, CompactionPart, Message } from '#lib/messages/message.ts';
import type { MessageNode } from './message-tree.ts';
import { isUnfinished, NOT_FINISHED, settleTurn } from './settle-turn.ts';
import type { Thread } from './thread.ts';

/** A thread with all of its messages, in the order in which they were created. */
export interface WholeThread {
  thread: Thread;
  messages: readonly MessageNode[];
}

/** The numbers of items that `settleThread` ends or leaves out when a thread is imported from a file. */
export interface LeftOut {
  /** Answers that were not finished; they are imported as interrupted. */
  unfinished: number;
  /** Tools that were allowed in the thread and need permission again. */
  grants: number;
  /** Messages that were waiting to be sent. */
  queued: number;
}

/**
 * Returns a thread from a file so that it does nothing by itself: unfinished turns end as interrupted, and each user message
 * without an answer gets an interrupted turn. The thread's permissions, its queued message, and pending moves and deletions are
 * dropped, and so are its file checkpoints and revisions, which belong to another history. Providers' metadata of texts and
 * calls is dropped, because `inertText`, which makes forged markers in texts ineffective, leaves parts with such metadata
 * unchanged.
 */
export function settleThread({ thread, messages }: WholeThread): WholeThread {
  const { movingTo: _, queued: __, deletedAt: ___, deletesWorkspace: ____, actor: _____, ...others } = thread;
  const { compactsNext: ______, resends: _______, movingFrom: ________, ...kept } = others;
  const nodes = new Map<string, MessageNode>();
  for (const { message, parentId } of messages)
    nodes.set(message.id, { message: message.role === 'user' ? message : settleTurn(message), parentId });
  let headId = nodes.has(thread.headId ?? '') ? thread.headId : ([...nodes.keys()].at(-1) ?? null);
  const answered = new Set([...nodes.values()].map(({ parentId }) => parentId));
  // Also in the branches that are not open: the user may go there.
  for (const [id, { message }] of [...nodes]) {
    if (message.role !== 'user' || (answered.has(id) && id !== headId)) continue;
    const turn = unansweredTurn();
    nodes.set(turn.id, { message: turn, parentId: id });
    if (id === headId) headId = turn.id;
  }
  return {
    thread: { ...kept, headId, grants: [], grantedAt: {}, activity: 'settled', checkpoints: {}, heads: {} },
    messages: [...nodes.values()],
  };
}

const unansweredTurn = (): AssistantMessage => ({
  id: crypto.randomUUID(),
  role: 'assistant',
  createdAt: Date.now(),
  parts: [],
  status: NOT_FINISHED,
});

/** Counts the items of a thread that `settleThread` ends or leaves out. */
export function leftOutOf({ thread, messages }: WholeThread): LeftOut {
  const turns = messages.map(({ message }) => message).filter((message) => message.role === 'assistant');
  return {
    unfinished: turns.filter(isUnfinished).length,
    grants: thread.grants.length,
    queued: thread.queued === undefined ? 0 : 1,
  };
}

/**
 * Returns a thread in which those ids of the thread, its messages and its calls that are in `taken` are replaced with new
 * ones. Adds all ids that it then has to `taken`, so that no two threads from one file share an id.
 */
export function withFreeIds({ thread, messages }: WholeThread, taken: Set<string>): WholeThread {
  const ids = new Map<string, string>();
  const free = (id: string): string => {
    const known = ids.get(id);
    if (known !== undefined) return known;
    const own = taken.has(id) ? crypto.randomUUID() : id;
    ids.set(id, own);
    taken.add(own);
    return own;
  };
  const id = free(thread.id);
  const nodes = messages.map(({ message, parentId }) => ({
    message: withIds(message, free),
    parentId: parentId === null ? null : free(parentId),
  }));
  const chosen = Object.entries(thread.chosen).map(([parent, child]) => [free(parent), free(child)]);
  return {
    thread: {
      ...thread,
      id,
      headId: thread.headId === null ? null : free(thread.headId),
      chosen: Object.fromEntries(chosen),
    },
    messages: nodes,
  };
}

function withIds(message: Message, free: (id: string) => string): Message {
  const id = free(message.id);
  if (message.role === 'user') return { ...message, id };
  const parts = message.parts.map((part) => {
    if (part.type === 'compaction') return { ...part, ...compactionIds(part, free) };
    if (part.type !== 'tool-call') return part;
    const toolCallId = free(part.toolCallId);
    return { ...part, toolCallId, ...(part.result !== undefined && { result: { ...part.result, toolCallId } }) };
  });
  return { ...message, id, parts };
}

/** Replaces the ids that a compaction contains: those of messages and calls of its thread. */
const compactionIds = (
  { stubs, summary }: CompactionPart,
  free: (id: string) => string,
): Pick<CompactionPart, 'stubs' | 'summary'> => ({
  stubs: stubs.map(free),
  ...(summary !== undefined && {
    summary: { ...summary, from: { ...summary.from, messageId: free(summary.from.messageId) } },
  }),
});

/** Returns the ids of a thread, its messages and its calls. */
export function idsOf({ thread, messages }: WholeThread): string[] {
  const calls = messages.flatMap(({ message }) =>
    message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : [])),
  );
  return [thread.id, ...messages.map(({ message }) => message.id), ...calls];
}
