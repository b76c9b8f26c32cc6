import * as z from 'zod';
import { directFetch } from '#net/direct-fetch.ts';
import { type ResolvedModelConfig, resolveModelConfig } from './config.ts';
import { withUsableWindow } from './providers/endpoint.ts';
import { type ListedModel, toolCallingOf } from './providers/provider.ts';
import { providerOf } from './providers/providers.ts';

/** The model servers that the studio looks for on this machine, each with its usual port. */
export const LOCAL_SERVERS = [
  { name: 'Ollama', port: 11434 },
  { name: 'LM Studio', port: 1234 },
  { name: 'llama.cpp', port: 8080 },
  { name: 'vLLM', port: 8000 },
] as const;

/** The time limit for a request, in milliseconds: a server on this machine either responds quickly or is not running. */
const PROBE_TIMEOUT_MS = 800;

/** Finds the chat models of servers on this machine. Ports on which no model server answers, and `ownPort`, are skipped. */
export async function discoverLocalModels(ownPort: number): Promise<ResolvedModelConfig[]> {
  const servers = LOCAL_SERVERS.filter(({ port }) => port !== ownPort);
  const found = await Promise.all(servers.map((server) => probe(server.name, `http://127.0.0.1:${server.port}`)));
  return found.flat();
}

async function probe(name: string, origin: string): Promise<ResolvedModelConfig[]> {
  let listed: ListedModel[];
  try {
    const endpoint = { baseURL: `${origin}/v1`, apiKey: undefined, timeoutMs: PROBE_TIMEOUT_MS };
    listed = (await providerOf({ provider: 'local' }).listModels?.(endpoint)) ?? [];
  } catch {
    // No model server: nothing is listening, or something else is.
    return [];
  }
  const described =
    name === 'Ollama' ? await Promise.all(listed.map((model) => describeOllama(origin, model))) : listed;
  return described.map(({ model, contextSize, vision, ...listed }) =>
    resolveModelConfig({
      provider: 'local',
      model,
      id: `${name.toLowerCase().replace(/\W+/g, '-')}/${model}`,
      name: `${model} (${name})`,
      baseURL: `${origin}/v1`,
      toolCalling: toolCallingOf(listed),
      ...(contextSize === undefined ? {} : { contextSize }),
      ...(vision === undefined ? {} : { vision }),
    }),
  );
}

const ollamaShow = z.looseObject({
  capabilities: z.array(z.string()).optional(),
  parameters: z.string().optional(),
  model_info: z.record(z.string(), z.unknown()).optional(),
});

/**
 * Adds what Ollama reports about a model: whether it supports tools and images, and its context size (`num_ctx`) if one is
 * set.
 */
async function describeOllama(origin: string, listed: ListedModel): Promise<ListedModel> {
  try {
    const response = await directFetch(`${origin}/api/show`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: listed.model }),
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    const { capabilities, parameters } = ollamaShow.parse(await response.json());
    const numCtx = /^num_ctx\s+(\d+)/m.exec(parameters ?? '')?.[1];
    return withUsableWindow({
      ...listed,
      ...(numCtx === undefined ? {} : { contextSize: Number(numCtx) }),
      ...(capabilities === undefined
        ? {}
        : { nativeTools: capabilities.includes('tools'), vision: capabilities.includes('vision') }),
    });
  } catch {
    // Older versions do not report this; the model is offered as listed.
    return listed;
  }
}
