import { createHash } from 'node:crypto';
import type { LangGraphRunnableConfig } from '@langchain/langgraph';
import { toAgentLimits } from '#config/agent-limits.ts';
import type { CompactionOptions } from '#lib/agent/compaction/compact.ts';
import { StepError } from '#lib/agent/problems.ts';
import { takeStep, turnOf } from '#lib/agent/step.ts';
import { toAgentModel } from '#models/language-model.ts';
import { describeModelError } from '#models/problems.ts';
import { type RunContext, type ThreadStateValue, withTurn } from './state.ts';

/** LangGraph's configuration of a node, with what a run needs besides its state. */
export type NodeConfig = LangGraphRunnableConfig<Record<string, unknown>> & { context?: RunContext };

/**
 * Takes one step of the turn, which is one streamed call of the model, and resolves with the state after it. Writes the step's
 * chunks with `config.writer` while they arrive. Rejects with `StepError` if the step fails, and with the signal's reason if
 * the run is stopped; the state is then unchanged.
 */
export async function modelNode(state: ThreadStateValue, config: NodeConfig): Promise<ThreadStateValue> {
  const { context, signal, configurable } = config;
  if (context === undefined) throw new Error('The graph was run without its context.');
  const { model, apiKey, access, env, registry, scales, log } = context;
  const { systemPrompt, toolsets, toolCalling, catalogue, catalogueName } = context;
  try {
    const turn = await takeStep({
      messages: state.messages,
      model: toAgentModel(model, apiKey, env, access, cacheKeyOf(configurable?.thread_id)),
      catalogue,
      settings: {
        systemPrompt,
        toolsets: [...toolsets],
        toolCalling,
        ...(catalogueName !== undefined && { catalogue: catalogueName }),
      },
      limits: toAgentLimits(env),
      compaction: compactionOf(context, state),
      scaleOf: (mode) => scales.of(model, access, mode),
      onScale: (mode, scale) => scales.remember(model, access, mode, scale),
      abortSignal: signal,
      // The chunks arrive in server/runs/run-registry.ts as those of the mode `custom`, and become chunks of the run.
      emit: (chunk) => config.writer?.(chunk),
      // Facts about a person's own connection are remembered in their browser.
      ...(access === undefined && {
        onToolsRefused: () => registry.rememberToolRefusal(model),
        onNativeCalls: (inText) => registry.rememberNativeCalls(model, inText),
      }),
      log,
    });
    return withTurn(state, turn);
  } catch (error) {
    signal?.throwIfAborted();
    // Errors thrown by a node are checkpointed, and providers repeat keys in their errors (rule R18).
    const { code, detail, ...more } = describeModelError(error, apiKey);
    throw new StepError(code, detail, more);
  }
}

/**
 * Returns the options for compacting the conversation in a step; undefined if the run has no settings for that. A compaction
 * that the person has asked for happens once, in the first step of a run.
 */
function compactionOf({ compaction, apiKey, env }: RunContext, state: ThreadStateValue): CompactionOptions | undefined {
  if (compaction === undefined) return undefined;
  const { status, parts } = turnOf(state);
  const runId = status.type === 'running' ? status.runId : undefined;
  const isFirst = !parts.some((part) => part.type === 'step' && part.runId === runId);
  const { model: other, unusable } = compaction;
  return {
    share: env.COMPACT_AT_SHARE,
    messageChars: env.COMPACT_MESSAGE_CHARS,
    isAsked: compaction.isAsked && isFirst,
    describe: (error) => describeModelError(error, other === undefined ? apiKey : other.apiKey).detail,
    unusable,
    ...(other !== undefined && { model: toAgentModel(other.model, other.apiKey, env, other.access) }),
  };
}

/**
 * Returns a name for a thread, by which a provider finds its cache. It is a hash, so that it does not tell the thread's id.
 * Undefined if there is no id.
 */
const cacheKeyOf = (threadId: unknown): string | undefined =>
  typeof threadId === 'string' ? createHash('sha256').update(threadId).digest('base64url') : undefined;
