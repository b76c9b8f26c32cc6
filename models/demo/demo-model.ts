import type {
  LanguageModelV4,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider';
import { type DemoResult, type DemoTurn, playDemo } from './demo-script.ts';

const PIECE_CHARACTERS = 6;
const PIECE_DELAY_MS = 8;

/**
 * Creates a scripted model with the same interface as real ones: same stream, same tools, native or prompted. It needs no
 * server. It only streams: `doGenerate` rejects.
 */
export function createDemoModel(): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'demo',
    modelId: 'demo',
    supportedUrls: {},
    async doGenerate() {
      throw new Error('The demo model only streams.');
    },
    async doStream({ prompt, tools, abortSignal }) {
      const native = (tools ?? []).length > 0;
      const { question, results } = readConversation(prompt);
      return streamTurn(playDemo(question, results), native, prompt, abortSignal);
    },
  };
}

/** Finds the newest question and the results of the calls made since, in native or prompted mode. */
function readConversation(prompt: LanguageModelV4Prompt): { question: string; results: DemoResult[] } {
  let question = '';
  let results: DemoResult[] = [];
  for (const message of prompt) {
    if (message.role === 'tool') {
      for (const part of message.content) {
        if (part.type !== 'tool-result') continue;
        const { output } = part;
        results.push({ toolName: part.toolName, text: 'value' in output ? String(output.value) : '' });
      }
    } else if (message.role === 'user') {
      const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
      const replayed = [...text.matchAll(/\[tool_result (\S+) (\S+)\]\n([\s\S]*?)\n\[\/tool_result \1\]/g)];
      if (replayed.length > 0) {
        results.push(...replayed.map(([, , toolName = '', content = '']) => ({ toolName, text: content })));
      } else {
        question = text;
        results = [];
      }
    }
  }
  return { question, results };
}

function streamTurn(
  turn: DemoTurn,
  native: boolean,
  prompt: LanguageModelV4Prompt,
  abortSignal: AbortSignal | undefined,
): LanguageModelV4StreamResult {
  const parts = [...partsOf(turn, native, prompt)];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    async pull(controller) {
      const part = parts.shift();
      if (part === undefined) return controller.close();
      await new Promise<void>((resolve) => {
        timer = setTimeout(resolve, part.type.endsWith('-delta') ? PIECE_DELAY_MS : 0);
      });
      if (abortSignal?.aborted) controller.error(abortSignal.reason);
      else controller.enqueue(part);
    },
    cancel() {
      clearTimeout(timer);
    },
  });
  return { stream };
}

function* partsOf(
  turn: DemoTurn,
  native: boolean,
  prompt: LanguageModelV4Prompt,
): Generator<LanguageModelV4StreamPart> {
  const { call } = turn;
  const input = call === undefined ? '' : JSON.stringify(call.input);
  const written =
    call === undefined || native
      ? turn.text
      : `${turn.text}\n\n${JSON.stringify({ tool_calls: [{ id: 'call_0', type: 'function', function: { name: call.toolName, arguments: input } }] })}`;
  yield { type: 'stream-start', warnings: [] };
  yield { type: 'text-start', id: '0' };
  for (const delta of pieces(written)) yield { type: 'text-delta', id: '0', delta };
  yield { type: 'text-end', id: '0' };
  if (call !== undefined && native) {
    yield { type: 'tool-input-start', id: 'call_0', toolName: call.toolName };
    for (const delta of pieces(input)) yield { type: 'tool-input-delta', id: 'call_0', delta };
    yield { type: 'tool-input-end', id: 'call_0' };
    yield { type: 'tool-call', toolCallId: 'call_0', toolName: call.toolName, input };
  }
  const inputTokens = Math.ceil(JSON.stringify(prompt).length / 4);
  const outputTokens = Math.ceil((written.length + (native ? input.length : 0)) / 4);
  yield {
    type: 'finish',
    finishReason: { unified: call !== undefined && native ? 'tool-calls' : 'stop', raw: undefined },
    usage: {
      inputTokens: { total: inputTokens, noCache: inputTokens, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: outputTokens, text: outputTokens, reasoning: 0 },
    },
  };
}

function* pieces(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PIECE_CHARACTERS) yield text.slice(at, at + PIECE_CHARACTERS);
}
