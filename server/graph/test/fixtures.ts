import { type Environment, readServerEnv } from '#config/env.ts';
import type { StudioChunk } from '#lib/messages/chunk.ts';
import { builtInCatalogue } from '#lib/tools/test/built-in-catalogue.ts';
import { createLog } from '#log/log.ts';
import { resolveModelConfig } from '#models/config.ts';
import { ModelRegistry } from '#models/registry.ts';
import { TokenScales } from '#models/token-scales.ts';
import type { Graph, messagesInput, resumeInput } from '../graph.ts';
import type { RunContext } from '../state.ts';

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
      contextSize: 64_000,
      // So that the other forms are chosen where they are tested.
      protocol: { codec: 'json' },
    }),
    apiKey: undefined,
    toolCalling: 'native',
    systemPrompt: 'Be brief.',
    toolsets: ['browser', 'files'],
    catalogue: builtInCatalogue,
    catalogueName: undefined,
    registry: new ModelRegistry({}, env),
    scales: new TokenScales(),
    env,
    log: createLog('silent'),
    ...overrides,
  };
}

export interface GraphRun {
  chunks: StudioChunk[];
  /** The error with which the run failed. */
  error: unknown;
}

/** Runs the graph to its next interrupt, end or failure, and collects what it streams. */
export async function runGraph(
  graph: Graph,
  threadId: string,
  input: ReturnType<typeof messagesInput> | ReturnType<typeof resumeInput>,
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
