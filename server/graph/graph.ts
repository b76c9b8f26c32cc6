import { Command, END, interrupt, START, StateGraph } from '@langchain/langgraph';
import { afterStep } from '#lib/agent/loop.ts';
import { turnOf } from '#lib/agent/step.ts';
import { pendingCalls } from '#lib/messages/apply-chunk.ts';
import type { Message } from '#lib/messages/message.ts';
import { withResults } from '#lib/messages/results.ts';
import type { ToolResult } from '#lib/tools/core/tool-call.ts';
import type { Checkpointer } from './checkpointer/checkpointer.ts';
import { modelNode, type NodeConfig } from './model-node.ts';
import { ThreadState, type ThreadStateValue, withTurn } from './state.ts';

/**
 * `model → client_tools → model …`. A thread's state is stored under its id, in a checkpoint when a run ends or is
 * interrupted. A model whose call could not be read is asked again immediately.
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

const NODES = { calls: 'client_tools', step: 'model', end: END } as const;

const afterModel = (state: ThreadStateValue): (typeof NODES)[keyof typeof NODES] => NODES[afterStep(turnOf(state))];

/** Everything before `interrupt` runs again on resume, so it must not have side effects. */
function clientToolsNode(state: ThreadStateValue): ThreadStateValue {
  const turn = turnOf(state);
  const toolCallIds = pendingCalls(turn).map(({ toolCallId }) => toolCallId);
  const { runId, results } = interrupt<string[], Resume>(toolCallIds);
  // The steps that follow are of this run, here as in the page.
  return withTurn(state, { ...withResults(turn, results), status: { type: 'running', runId } });
}

/** The value with which a run resumes an interrupted graph. */
interface Resume {
  runId: string;
  results: ToolResult[];
}

/** A run's input: the results of all pending calls. */
export const resumeInput = (runId: string, results: ToolResult[]): Command =>
  new Command({ resume: { runId, results } satisfies Resume });

/** A run's input: all messages of the branch, ending with the turn to work on. They take the place of the thread's state. */
export const messagesInput = (messages: Message[]): ThreadStateValue => ({ messages, revision: crypto.randomUUID() });

/** The checkpointed state of a thread: its messages, ending with the turn, and its revision. */
export async function readThread(checkpointer: Checkpointer, threadId: string): Promise<ThreadStateValue | undefined> {
  const tuple = await checkpointer.getTuple({ configurable: { thread_id: threadId } });
  const { messages, revision } = (tuple?.checkpoint.channel_values ?? {}) as Partial<ThreadStateValue>;
  return messages === undefined || revision === undefined ? undefined : { messages, revision };
}
