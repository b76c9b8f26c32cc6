import type { ChatRequest } from '#lib/wire/chat.ts';

/** A request that asks a question in a new thread, without tools. */
export const chatRequestOf = (question: string): ChatRequest => ({
  threadId: crypto.randomUUID(),
  runId: crypto.randomUUID(),
  revision: null,
  head: null,
  turnId: crypto.randomUUID(),
  action: {
    type: 'turn',
    message: {
      id: crypto.randomUUID(),
      role: 'user',
      createdAt: Date.now(),
      parts: [{ type: 'text', text: question }],
    },
  },
  settings: { model: 'paced', toolCalling: 'native', toolsets: [], systemPrompt: '' },
});
