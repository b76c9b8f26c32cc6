import type { AssistantMessage, Message, UserMessage } from '#lib/messages/message.ts';
import type { WholeThread } from './adopt-thread.ts';
import { type Thread, titleFrom } from './thread.ts';

/** Creates a thread without messages, but does not store it. `grants`: allowed tools and hosts, granted as of now. */
export function emptyThread({
  workspaceId,
  settings,
  grants,
}: Pick<Thread, 'workspaceId' | 'settings'> & { grants: readonly string[] }): Thread {
  const now = Date.now();
  return {
    id: crypto.randomUUID(),
    title: '',
    titledBy: 'nobody',
    createdAt: now,
    updatedAt: now,
    headId: null,
    chosen: {},
    settings,
    grants: [...grants],
    grantedAt: Object.fromEntries(grants.map((name) => [name, now])),
    activity: 'settled',
    workspaceId,
    checkpoints: {},
    heads: {},
  };
}

/**
 * Creates the turn (the assistant's message) that the run `runId` will write. It is empty, unless it is another version of a
 * turn: then `parts` are the compactions (points from which prompts are shortened) with which that one begins. Stores nothing.
 */
export function newTurn(runId: string, parts: AssistantMessage['parts'] = []): AssistantMessage {
  return {
    id: crypto.randomUUID(),
    role: 'assistant',
    createdAt: Date.now(),
    parts,
    status: { type: 'running', runId },
  };
}

/**
 * Returns a title from a message's texts and the names of its files, in their order: the beginning of the first line with
 * words. Empty if there is none.
 */
export const titleOf = ({ parts }: Message): string =>
  titleFrom(
    parts
      .map((part) => (part.type === 'text' ? part.text : part.type === 'file' ? (part.filename ?? '') : ''))
      .join('\n'),
  );

/**
 * Adds the first message to an empty thread, and the turn that answers it, for the run `runId` to write. Titles the thread
 * after the message. Stores nothing.
 */
export function withFirstMessage(thread: Thread, message: UserMessage, runId: string): WholeThread {
  const turn = newTurn(runId);
  return {
    thread: { ...thread, headId: turn.id, title: titleOf(message), titledBy: 'studio', activity: 'working' },
    messages: [
      { message, parentId: null },
      { message: turn, parentId: message.id },
    ],
  };
}
