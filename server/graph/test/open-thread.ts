import { turnOf } from '#lib/agent/step.ts';
import { emptyTurn, resultOf } from '#lib/agent/test/messages.ts';
import { pendingCalls } from '#lib/messages/apply-chunk.ts';
import type { AssistantMessage, Message } from '#lib/messages/message.ts';
import type { ToolResult } from '#lib/tools/core/tool-call.ts';
import { LatestMemorySaver } from '../checkpointer/memory-saver.ts';
import { createGraph, messagesInput, readThread, resumeInput } from '../graph.ts';
import type { RunContext } from '../state.ts';
import { runGraph } from './fixtures.ts';

/** A new thread, as the server's runs work on it. */
export function openThread(context: RunContext) {
  const saver = new LatestMemorySaver();
  const graph = createGraph(saver);
  const threadId = crypto.randomUUID();
  const thread = {
    /** Replaces the thread's messages with these and a new turn. */
    ask: (...messages: Message[]) =>
      runGraph(graph, threadId, messagesInput([...messages, emptyTurn('turn')]), context),
    /** Continues an existing turn, as Retry does. */
    retry: (messages: Message[]) => runGraph(graph, threadId, messagesInput(messages), context),
    answer: (results: ToolResult[], other = context) =>
      runGraph(graph, threadId, resumeInput(crypto.randomUUID(), results), other),
    /** Answers all pending calls with the same content. */
    answerAll: async (content: string, other = context) => {
      const calls = pendingCalls(await thread.turn());
      return thread.answer(
        calls.map(({ toolCallId, toolName }) => resultOf(toolCallId, toolName, content)),
        other,
      );
    },
    turn: async (): Promise<AssistantMessage> => {
      const state = await readThread(saver, threadId);
      return turnOf({ messages: state?.messages ?? [] });
    },
    /** The calls that the checkpointed graph waits for. */
    pendingCallIds: async () => {
      const { tasks } = await graph.getState({ configurable: { thread_id: threadId } });
      return tasks.flatMap(({ interrupts }) => interrupts.flatMap(({ value }) => value as string[]));
    },
  };
  return thread;
}
