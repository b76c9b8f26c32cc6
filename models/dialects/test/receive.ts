import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { streamText } from 'ai';

/** The contents of a response that the studio gets. */
export interface Received {
  text: string;
  reasoning: string;
  /** Each with its name, a space, and its arguments. */
  calls: string[];
  finish: string;
  errors: string[];
  usage: { inputTokens: number | undefined; outputTokens: number | undefined };
}

/** Sends a request through the SDK, and collects the reply. `request`: `fetch`, or the function to try in its place. */
export async function receive(request: typeof fetch, prompt = 'Hi'): Promise<Received> {
  const model = createOpenAICompatible({ name: 'x', baseURL: 'http://x/v1', includeUsage: true, fetch: request })('m');
  const result = streamText({ model, prompt, maxRetries: 0, onError: () => undefined });
  const calls = new Map<string, string>();
  const received: Received = {
    text: '',
    reasoning: '',
    calls: [],
    finish: '',
    errors: [],
    usage: { inputTokens: undefined, outputTokens: undefined },
  };
  for await (const part of result.stream) {
    if (part.type === 'tool-input-start') calls.set(part.id, `${part.toolName} `);
    if (part.type === 'tool-input-delta') calls.set(part.id, `${calls.get(part.id)}${part.delta}`);
    if (part.type === 'text-delta') received.text += part.text;
    if (part.type === 'reasoning-delta') received.reasoning += part.text;
    if (part.type === 'finish-step') {
      received.finish = part.finishReason;
      received.usage = { inputTokens: part.usage.inputTokens, outputTokens: part.usage.outputTokens };
    }
    if (part.type === 'error') received.errors.push(wordsOf(part.error));
  }
  received.calls = [...calls.values()];
  return received;
}

function wordsOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  const message = (error as { message?: unknown } | null)?.message;
  return typeof message === 'string' ? message : JSON.stringify(error);
}

/** A stream of events with these data. */
export const eventStream = (data: readonly string[]): Response =>
  new Response(data.map((one) => `data: ${one}\n\n`).join(''), { headers: { 'content-type': 'text/event-stream' } });
