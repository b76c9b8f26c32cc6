import { endUnfinished, pendingCalls } from '#lib/messages/apply-chunk.ts';
import type { AssistantMessage, AssistantPart } from '#lib/messages/message.ts';
import { withResults } from '#lib/messages/results.ts';
import type { CallLedger } from '#lib/tools/execution/ledger.ts';
import type { MessageNode, MessageTree } from './message-tree.ts';
import type { Thread } from './thread.ts';

const INTERRUPTED =
  'This call had no result yet when the conversation was saved. It may have run partially or completely.';

/** The status of a turn that ends as interrupted, because it was not finished when it was stored. */
export const NOT_FINISHED = {
  type: 'failed',
  problem: { code: 'interrupted', detail: 'The answer was not finished when the thread was saved.' },
} as const;

/** Checks whether a turn is still running, or waiting for the results of its calls. */
export const isUnfinished = ({ status }: AssistantMessage): boolean =>
  status.type === 'running' || status.type === 'waiting';

/**
 * Returns the turn, ended as interrupted if it is unfinished, with `interrupted` results for calls that have none. Its
 * revision, which names the state that the server keeps, is dropped, and so is providers' metadata of texts and calls. Nothing
 * is stored.
 */
export function settleTurn({ revision: _, ...turn }: AssistantMessage): AssistantMessage {
  const ended = endUnfinished(turn);
  const unanswered = new Set(pendingCalls(ended).map(({ toolCallId }) => toolCallId));
  return {
    ...ended,
    parts: ended.parts.map(withoutMetadata).map((part) => {
      if (part.type !== 'tool-call' || !unanswered.has(part.toolCallId)) return part;
      const { toolCallId, toolName } = part;
      return {
        ...part,
        result: { type: 'tool-error', toolCallId, toolName, code: 'interrupted', message: INTERRUPTED },
      };
    }),
    status: isUnfinished(turn) ? NOT_FINISHED : turn.status,
  };
}

function withoutMetadata(part: AssistantPart): AssistantPart {
  if (part.type !== 'text' && part.type !== 'tool-call') return part;
  const { providerMetadata: _, ...kept } = part;
  return kept;
}

/**
 * Ends a turn as `settleTurn` does, but gives calls without a result the one that the ledger has, if any. Nothing is stored.
 */
export async function settleWithResults(
  turn: AssistantMessage,
  ledger: Pick<CallLedger, 'get'>,
): Promise<AssistantMessage> {
  const found = await Promise.all(
    pendingCalls(turn).map(async ({ toolCallId }) => (await ledger.get(toolCallId))?.result),
  );
  return settleTurn(
    withResults(
      turn,
      found.filter((result) => result !== undefined),
    ),
  );
}

/** Parts that are small enough to be stored where there is little room. */
const SMALL_PARTS: ReadonlySet<AssistantPart['type']> = new Set(['text', 'step', 'compaction']);

/**
 * Settles a turn for a store without room for all of it. Keeps its texts, steps, and compactions; of the rest, such as calls
 * and thoughts, only what is stored already.
 */
async function shortened(
  turn: AssistantMessage,
  threadId: string,
  store: Pick<CallLedger, 'get'> & { messages(threadId: string): Promise<readonly MessageNode[]> },
): Promise<AssistantMessage> {
  const nodes = await store.messages(threadId);
  const stored = nodes.find(({ message }) => message.id === turn.id)?.message.parts ?? [];
  const parts = turn.parts.flatMap((part, index) => {
    const kept = SMALL_PARTS.has(part.type) ? part : (stored[index] as AssistantPart | undefined);
    return kept?.type === part.type ? [kept] : [];
  });
  return settleWithResults({ ...turn, parts }, store);
}

/**
 * Tries again to store turns that could not be stored, each as a whole or at least as far as there is room for it. Never
 * rejects. `ids`: the turns whose latest states are not stored; a turn that is not stored as a whole stays in it. `write` adds
 * a turn's id to `ids`, stores the turn, and then removes the id.
 */
export async function storeAgain(
  ids: Set<string>,
  { thread, tree }: { thread: Pick<Thread, 'id'>; tree: MessageTree },
  store: Parameters<typeof shortened>[2],
  write: (turn: AssistantMessage) => Promise<void>,
): Promise<void> {
  for (const id of [...ids]) {
    const turn = tree.get(id)?.message;
    if (turn?.role !== 'assistant') continue;
    await write(turn)
      .catch(async () => {
        const short = await shortened(turn, thread.id, store);
        // A newer state has been stored meanwhile.
        if (!ids.has(id)) return;
        await write(short);
        // Not all of it is there.
        ids.add(id);
      })
      // It remains in `ids`, so the next message tries again.
      .catch(() => undefined);
  }
}
