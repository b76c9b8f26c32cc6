import { Annotation } from '@langchain/langgraph';
import type { ServerEnv } from '#config/env.ts';
import type { AssistantMessage, Message, ToolCallingMode } from '#lib/messages/message.ts';
import type { Catalogue } from '#lib/tools/catalogue/catalogue.ts';
import type { Log } from '#log/log.ts';
import type { ResolvedModelConfig } from '#models/config.ts';
import type { PersonalAccess } from '#models/personal.ts';
import type { ModelRegistry } from '#models/registry.ts';
import type { TokenScales } from '#models/token-scales.ts';

/** The content of a checkpoint: the branch as messages, ending with the turn in progress, and its revision. */
export const ThreadState = Annotation.Root({
  messages: Annotation<Message[]>,
  revision: Annotation<string>,
});

export type ThreadStateValue = typeof ThreadState.State;

/**
 * The settings for compacting the conversation in a run, besides those in the environment. Compaction leaves out stale
 * results, and puts a summary in the place of older messages.
 */
export interface RunCompaction {
  /** Whether the person has asked for compaction. */
  isAsked: boolean;
  /** The model that writes summaries, if it is not the thread's own. */
  model?: Pick<RunContext, 'model' | 'apiKey' | 'access'> | undefined;
  /** The model that was chosen to write summaries, if it cannot be used, and why. */
  unusable?: { model: string; provider: string; detail: string } | undefined;
}

/**
 * The context that a run needs besides the state. Passed in LangGraph's `context`, so it is never checkpointed (rule
 * R18).
 */
export type RunContext = {
  model: ResolvedModelConfig;
  apiKey: string | undefined;
  /** The access to a model of a connection in the browser; absent for the server's own models. */
  access?: PersonalAccess | undefined;
  toolCalling: ToolCallingMode;
  systemPrompt: string;
  /** The names of the toolsets (groups of tools) that are switched on. The model gets only the tools of these. */
  toolsets: readonly string[];
  /** The tools that the browser offers, found by the catalogue's name in the request. */
  catalogue: Catalogue;
  /** The catalogue's name, which each step records; undefined if the browser offers no tools. */
  catalogueName: string | undefined;
  /** The settings for compacting the conversation; it is never compacted if absent. */
  compaction?: RunCompaction | undefined;
  registry: ModelRegistry;
  /** The ratios of counted to estimated tokens, which later runs use as well. */
  scales: TokenScales;
  env: ServerEnv;
  log: Log;
};

/** Returns the state with `turn`, as a node leaves it, in place of the last message, and with a new revision. */
export function withTurn(state: ThreadStateValue, turn: AssistantMessage): ThreadStateValue {
  return { messages: [...state.messages.slice(0, -1), turn], revision: crypto.randomUUID() };
}
