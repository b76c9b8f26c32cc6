import { Command, END, interrupt, START, StateGraph } from '@langchain/langgraph';
import { pendingCalls } from '#lib/messages/apply-chunk.ts';
import type { Message } from '#lib/messages/message.ts';
import type { ToolResult } from '#lib/tools/core/tool.ts';
import type { Checkpointer } from './checkpointer/checkpointer.ts';
import { isAskedAgain, modelNode, type NodeConfig } from './model-node.ts';
import { ThreadState, type ThreadStateValue, turnOf, withTurn } from './state.ts';

/**
 * `model → client_tools → model …`, with a checkpoint after each node; a thread's state is stored under its id. A model
 * whose call could not be read is asked again immediately.
 */
export function createGraph(checkpointer: Checkpointer) {
  return new StateGraph(ThreadState)
    .addNode('model', (state: ThreadStateValue, config) => modelNode(state, config as NodeConfig))
    .addNode('client_tools', clientToolsNode)
    .addEdge(START, 'model')
    .addConditionalEdges('model', afterModel, ['client_tools', 'model', END])
    .addEdge('client_tools', 'model')
    .compile({ checkpointer });
}

export type Graph = ReturnType<typeof createGraph>;

function afterModel(state: ThreadStateValue): 'client_tools' | 'model' | typeof END {
  const turn = turnOf(state);
  if (pendingCalls(turn).length > 0) return 'client_tools';
  return isAskedAgain(turn.parts.findLast((part) => part.type === 'step')) ? 'model' : END;
}

/** Everything before `interrupt` runs again on resume, so it must not have side effects. */
function clientToolsNode(state: ThreadStateValue): ThreadStateValue {
  const turn = turnOf(state);
  const toolCallIds = pendingCalls(turn).map(({ toolCallId }) => toolCallId);
  const results = interrupt<string[], ToolResult[]>(toolCallIds);
  const byId = new Map(results.map((result) => [result.toolCallId, result]));
  const parts = turn.parts.map((part) => {
    const result = part.type === 'tool-call' && part.result === undefined ? byId.get(part.toolCallId) : undefined;
    return result === undefined ? part : { ...part, result };
  });
  return withTurn(state, { ...turn, parts });
}

/** A run's input: the results of all pending calls. */
export const resumeInput = (results: ToolResult[]): Command => new Command({ resume: results });

/** A run's input: the current branch, ending with the turn to work on. */
export const replaceInput = (messages: Message[]): ThreadStateValue => ({ messages, revision: crypto.randomUUID() });

/** The checkpointed state of a thread: its messages, ending with the turn, and its revision. */
export async function readThread(checkpointer: Checkpointer, threadId: string): Promise<ThreadStateValue | undefined> {
  const tuple = await checkpointer.getTuple({ configurable: { thread_id: threadId } });
  const { messages, revision } = (tuple?.checkpoint.channel_values ?? {}) as Partial<ThreadStateValue>;
  return messages === undefined || revision === undefined ? undefined : { messages, revision };
}
