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
 * Creates the graph that plays turns: `model → client_tools → model …`. The node `model` takes a step; `client_tools`
 * interrupts the graph until a run resumes it with the results of the step's calls. A model whose call could not be read is
 * asked again immediately; a step without calls is the end. When a run ends or is interrupted, a checkpoint stores the state
 * under the thread's id.
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

/**
 * Interrupts the graph at pending calls. When a run resumes the graph with their results, returns the state with the results in
 * the turn. Everything before `interrupt` runs again on resume, so it must not have side effects.
 */
function clientToolsNode(state: ThreadStateValue): ThreadStateValue {
  const turn = turnOf(state);
  const toolCallIds = pendingCalls(turn).map(({ toolCallId }) => toolCallId);
  // The page takes the calls from the message. The ids say in the checkpoint which calls it waits for; only tests read them.
  const { runId, results } = interrupt<string[], Resume>(toolCallIds);
  // The steps that follow are of this run, here as in the page.
  return withTurn(state, { ...withResults(turn, results), status: { type: 'running', runId } });
}

/** The value with which a run resumes an interrupted graph. */
interface Resume {
  runId: string;
  results: ToolResult[];
}

/** Returns the input of the run `runId`, which resumes the interrupted graph with the results of all pending calls. */
export const resumeInput = (runId: string, results: ToolResult[]): Command =>
  new Command({ resume: { runId, results } satisfies Resume });

/**
 * Returns the input of a run that begins with all messages of the branch, of which the turn to work on is the last. They
 * replace the thread's state, under a new revision.
 */
export const messagesInput = (messages: Message[]): ThreadStateValue => ({ messages, revision: crypto.randomUUID() });

/**
 * Reads a thread's state from its checkpoint: its messages, ending with the turn, and its revision. Resolves with undefined if
 * the thread has no checkpoint.
 */
export async function readThread(checkpointer: Checkpointer, threadId: string): Promise<ThreadStateValue | undefined> {
  const tuple = await checkpointer.getTuple({ configurable: { thread_id: threadId } });
  const { messages, revision } = (tuple?.checkpoint.channel_values ?? {}) as Partial<ThreadStateValue>;
  return messages === undefined || revision === undefined ? undefined : { messages, revision };
}
