import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createUIMessageStreamResponse, streamText, toUIMessageStream } from 'ai';

const model = createOpenAICompatible({
  name: 'plain',
  baseURL: process.env.MODEL_URL ?? '',
  includeUsage: true,
})('scripted');

/** Answers a prompt as the chat route in the AI SDK's documentation does, without graph, checkpoints or runs. */
export async function POST(request: Request): Promise<Response> {
  const { prompt } = (await request.json()) as { prompt: string };
  const result = streamText({ model, prompt });
  return createUIMessageStreamResponse({ stream: toUIMessageStream({ stream: result.stream }) });
}
