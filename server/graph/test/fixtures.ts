import { applyChunk } from '#lib/messages/apply-chunk.ts';
import type { StudioChunk } from '#lib/messages/chunk.ts';
import type { AssistantMessage, AssistantPart, StepPart, UserMessage } from '#lib/messages/message.ts';
import type { ToolResult } from '#lib/tools/core/tool.ts';
import { type Environment, readServerEnv } from '#server/config/env.ts';
import type { Graph, replaceInput, resumeInput } from '#server/graph/graph.ts';
import type { RunContext } from '#server/graph/state.ts';
import { createLog } from '#server/log/log.ts';
import { resolveModelConfig } from '#server/models/config.ts';
import { ModelRegistry } from '#server/models/registry.ts';

/** The server's settings for tests: no discovery on this machine, and no retries unless a test wants them. */
export const testEnv = (variables: Environment = {}) =>
  readServerEnv({
    DISCOVER_LOCAL: 'false',
    DEMO_MODEL: 'false',
    AGENT_MAX_RETRIES: '0',
    LOG_LEVEL: 'silent',
    ...variables,
  });

/** The context of a run with the scripted model at `baseURL`. */
export function testContext(
  baseURL: string,
  { env: variables, ...overrides }: Partial<Omit<RunContext, 'env'>> & { env?: Environment } = {},
): RunContext {
  const env = testEnv(variables);
  return {
    model: resolveModelConfig({
      provider: 'local',
      model: 'scripted',
      baseURL,
      toolCalling: 'auto',
      contextSize: 32_000,
    }),
    apiKey: undefined,
    toolCalling: 'native',
    systemPrompt: 'Be brief.',
    toolsets: ['browser', 'files'],
    registry: new ModelRegistry({}, env),
    env,
    log: createLog('silent'),
    ...overrides,
  };
}

export const userMessage = (text: string, id: string = crypto.randomUUID()): UserMessage => ({
  id,
  role: 'user',
  createdAt: 0,
  parts: [{ type: 'text', text }],
});

export const emptyTurn = (id: string = crypto.randomUUID()): AssistantMessage => ({
  id,
  role: 'assistant',
  createdAt: 0,
  parts: [],
  status: { type: 'running', runId: 'run' },
});

/** A provider's finished step, to be followed by its content. */
export const finishedStep = (provider: string, overrides: Partial<StepPart> = {}): StepPart => ({
  type: 'step',
  model: `${provider}/model`,
  provider,
  promptHash: '',
  settings: { systemPrompt: '', toolsets: [], toolCalling: 'native', budgetTokens: 8_000, lastStep: false },
  finishReason: 'stop',
  notices: [],
  ...overrides,
});

export const answeredCall = (toolCallId: string, content: string, toolName = 'read_file'): AssistantPart => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  inputState: 'complete',
  input: { path: '/a' },
  result: { type: 'tool-result', toolCallId, toolName, output: { content } },
});

export const resultOf = (toolCallId: string, toolName: string, content: string, data?: unknown): ToolResult => ({
  type: 'tool-result',
  toolCallId,
  toolName,
  output: data === undefined ? { content } : { content, data },
});

export interface GraphRun {
  chunks: StudioChunk[];
  /** The error with which the run failed. */
  error: unknown;
}

/** Runs the graph to its next interrupt, end or failure, and collects what it streams. */
export async function runGraph(
  graph: Graph,
  threadId: string,
  input: ReturnType<typeof replaceInput> | ReturnType<typeof resumeInput>,
  context: RunContext,
): Promise<GraphRun> {
  const chunks: StudioChunk[] = [];
  try {
    const stream = await graph.stream(input as Parameters<Graph['stream']>[0], {
      configurable: { thread_id: threadId },
      context,
      streamMode: ['custom', 'updates'],
      durability: 'exit',
    });
    for await (const [mode, data] of stream) if (mode === 'custom') chunks.push(data);
    return { chunks, error: undefined };
  } catch (error) {
    return { chunks, error };
  }
}

/** Builds the message from the chunks as a browser does. */
export const buildTurn = (turn: AssistantMessage, chunks: readonly StudioChunk[]): AssistantMessage =>
  chunks.reduce((message, chunk) => applyChunk(message, chunk, 0), turn);
