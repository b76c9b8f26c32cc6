import type { AssistantMessage, Message, ToolCallPart, UserMessage } from '#lib/messages/message.ts';
import type { WholeThread } from '#lib/threads/adopt-thread.ts';
import type { MessageNode } from '#lib/threads/message-tree.ts';

const CODE = Array.from({ length: 20 }, (_, line) => `  const value${line} = compute(${line}, 'text');`).join('\n');

/** The text of the n-th answer, counted from 1: prose, a list, and code. */
const answerText = (n: number): string =>
  `Answer ${n}. Here is what I found about it, in a sentence or two that take up a line or so of the page.

- The first point, which is short
- The second point, with some \`code\` in it
- The third point

\`\`\`ts
export function answer${n}() {
${CODE}
}
\`\`\`

That was answer ${n}.`;

/** A user's message, ready to be stored. */
export const userMessage = (id: string, text: string): UserMessage => ({
  id,
  role: 'user',
  createdAt: 1,
  parts: [{ type: 'text', text }],
});

/** A finished answer, ready to be stored. */
export const assistantMessage = (id: string, parts: AssistantMessage['parts']): AssistantMessage => ({
  id,
  role: 'assistant',
  createdAt: 1,
  parts,
  status: { type: 'done' },
});

/** A finished call of `read_file`. */
export const readCallPart = (id: string, path: string, text: string): ToolCallPart => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: 'read_file',
  inputState: 'complete',
  input: { path },
  result: {
    type: 'tool-result',
    toolCallId: id,
    toolName: 'read_file',
    durationMs: 3,
    output: { content: [{ type: 'text', text }] },
  },
});

/** Messages in a row, each below the one before. */
export const chain = (messages: readonly Message[]): MessageNode[] =>
  messages.map((message, index) => ({ message, parentId: messages[index - 1]?.id ?? null }));

/** A thread as it is stored, with these messages in its open branch. */
export function storedThread(id: string, messages: readonly Message[]): WholeThread {
  const now = Date.now();
  return {
    thread: {
      id,
      title: `Thread ${id}`,
      titledBy: 'person',
      createdAt: now,
      updatedAt: now,
      headId: messages.at(-1)?.id ?? null,
      chosen: {},
      settings: { model: null, toolCalling: 'auto', toolsets: ['browser', 'files'], systemPrompt: null },
      grants: [],
      grantedAt: {},
      activity: 'settled',
      workspaceId: 'first',
      checkpoints: {},
      heads: {},
    },
    messages: chain(messages),
  };
}

/** A thread of `rows` messages: questions and answers in turn, every third answer with a call. */
export function longThread(id: string, rows: number): WholeThread {
  const messages = Array.from({ length: rows }, (_, index): Message => {
    const n = Math.floor(index / 2) + 1;
    if (index % 2 === 0) return userMessage(`${id}-q${n}`, `Question ${n}: what about it?`);
    return assistantMessage(`${id}-a${n}`, [
      ...(n % 3 === 0 ? [readCallPart(`${id}-call-${n}`, `/notes-${n}.txt`, `Note ${n} about the call`)] : []),
      { type: 'text', text: answerText(n) },
    ]);
  });
  return storedThread(id, messages);
}
