import { Command, END, interrupt, START, StateGraph } from '@langchain/langgraph';
import { pendingCalls } from '#lib/messages/apply-chunk.ts';
import type { Message } from '#lib/messages/message.ts';
import type { ToolResult } from '#lib/tools/tool.ts';
import type { Checkpointer } from './checkpointer/checkpointer.ts';
import { modelNode, type NodeConfig } from './model-node.ts';
import { ThreadState, type ThreadStateValue, turnOf, withTurn } from './state.ts';

/** What the browser is asked to do while the graph waits. */
export interface ClientToolCalls {
  type: 'client-tool-calls';
  toolCallIds: string[];
}

/** `model → client_tools → model …`, one checkpoint after each, a thread's state under its id. */
export function createGraph(checkpointer: Checkpointer) {
  return new StateGraph(ThreadState)
    .addNode('model', (state: ThreadStateValue, config) => modelNode(state, config as NodeConfig))
    .addNode('client_tools', clientToolsNode)
    .addEdge(START, 'model')
    .addConditionalEdges('model', (state) => (pendingCalls(turnOf(state)).length > 0 ? 'client_tools' : END), [
      'client_tools',
      END,
    ])
    .addEdge('client_tools', 'model')
    .compile({ checkpointer });
}

export type Graph = ReturnType<typeof createGraph>;

/** Everything before `interrupt` runs again on resume, so it only looks. */
function clientToolsNode(state: ThreadStateValue): ThreadStateValue {
  const turn = turnOf(state);
  const toolCallIds = pendingCalls(turn).map(({ toolCallId }) => toolCallId);
  const results = interrupt<ClientToolCalls, ToolResult[]>({ type: 'client-tool-calls', toolCallIds });
  const byId = new Map(results.map((result) => [result.toolCallId, result]));
  const parts = turn.parts.map((part) => {
    const result = part.type === 'tool-call' && part.result === undefined ? byId.get(part.toolCallId) : undefined;
    return result === undefined ? part : { ...part, result };
  });
  return withTurn(state, { ...turn, parts });
}

/** A run's input: the answers to all pending calls. */
export const resumeInput = (results: ToolResult[]): Command => new Command({ resume: results });

/** A run's input: the branch as it now is, the turn to work on at its end. */
export const replaceInput = (messages: Message[]): ThreadStateValue => ({ messages, revision: crypto.randomUUID() });

/** What is checkpointed for a thread: its messages and revision, and the calls it waits for. */
export async function readThread(
  graph: Graph,
  threadId: string,
): Promise<{ state: ThreadStateValue | undefined; pendingCallIds: string[] }> {
  const snapshot = await graph.getState({ configurable: { thread_id: threadId } });
  const values = snapshot.values as Partial<ThreadStateValue>;
  const state =
    values.messages === undefined || values.revision === undefined
      ? undefined
      : { messages: values.messages, revision: values.revision };
  const pendingCallIds = snapshot.tasks
    .flatMap(({ interrupts }) => interrupts)
    .flatMap(({ value }) =>
      (value as ClientToolCalls | undefined)?.type === 'client-tool-calls'
        ? (value as ClientToolCalls).toolCallIds
        : [],
    );
  return { state, pendingCallIds };
}
