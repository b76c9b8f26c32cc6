import type {
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider';
import type { LanguageModelMiddleware } from 'ai';
import { estimateTokens } from '#lib/base/estimate-tokens.ts';
import type { Message, PromptSections, PromptSettings } from '#lib/messages/message.ts';
import type { Catalogue } from '#lib/tools/catalogue/catalogue.ts';
import type { AgentModel } from './agent-model.ts';
import { callModel } from './call-model.ts';
import type { AgentLimits } from './limits.ts';
import { buildPrompt } from './prompt.ts';
import { hashPrompt, type PromptRecord, recordPrompt } from './prompt-record.ts';
import { scaledSections } from './prompt-sections.ts';
import { promptOptionsOf } from './step.ts';

/** A prompt as it is sent to the provider. */
interface RebuiltPrompt {
  /** The prompt's hash: equal to the one that the step recorded if this is the prompt that was sent. */
  hash: string;
  messages: { role: string; content: string }[];
  tools: { name: string; description?: string | undefined; schema: unknown }[];
  /** Estimated number of tokens for the tool protocol: fragments, schemas and call format. */
  protocolTokens: number;
  /** The size of the prompt by section: estimated tokens, scaled to the model's own (`tokenScale`). */
  sections: PromptSections;
}

/** The input from which a step's prompt was built. */
interface RebuildOptions {
  /** The branch up to the step; the last turn ends before the step. */
  messages: readonly Message[];
  settings: PromptSettings;
  model: AgentModel;
  catalogue: Catalogue;
  limits: Pick<AgentLimits, 'resultShare' | 'maxRetries'>;
}

/**
 * Rebuilds a step's prompt with the code that sent it, and stops just before the provider, so that nothing is sent. Resolves
 * with the prompt's messages and tools for people to read, its hash, and the sizes of its sections.
 */
export async function rebuildPrompt(options: RebuildOptions): Promise<RebuiltPrompt> {
  const { record, sections } = await recordCall(options);
  const { record: bare } = await recordCall({ ...options, settings: { ...options.settings, toolsets: [] } });
  return {
    hash: await hashPrompt(record),
    messages: record.prompt.map((message) => ({ role: message.role, content: textOf(message) })),
    tools: (record.tools ?? []).flatMap((tool) =>
      tool.type === 'function' ? [{ name: tool.name, description: tool.description, schema: tool.inputSchema }] : [],
    ),
    protocolTokens: Math.max(0, tokensOf(record) - tokensOf(bare)),
    sections: scaledSections(sections, options.settings.tokenScale ?? 1),
  };
}

async function recordCall({
  messages,
  settings,
  model,
  catalogue,
  limits,
}: RebuildOptions): Promise<{ record: PromptRecord; sections: PromptSections }> {
  const prompt = await buildPrompt(messages, settings, promptOptionsOf(model, catalogue, limits));
  const records: PromptRecord[] = [];
  const record = recordPrompt((one) => {
    records.push(one);
  });
  const call = callModel({
    model,
    prompt,
    settings,
    maxRetries: limits.maxRetries,
    postpones: true,
    abortSignal: undefined,
    onRetry: () => undefined,
    innermost: { ...record, ...answerNothing },
  });
  await call.consumeStream();
  const [sent] = records;
  if (sent === undefined) throw new Error('The branch results in an empty prompt, which cannot be sent.');
  return { record: sent, sections: prompt.sections };
}

const STOP = { unified: 'stop', raw: undefined } as const;
const USAGE = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/** Replaces the provider with an empty answer, so that nothing is sent. */
const answerNothing: Pick<LanguageModelMiddleware, 'wrapStream' | 'wrapGenerate'> = {
  wrapGenerate: async () => ({ content: [], finishReason: STOP, usage: USAGE, warnings: [] }),
  wrapStream: async () => ({
    stream: new ReadableStream<LanguageModelV4StreamPart>({
      start(controller) {
        controller.enqueue({ type: 'stream-start', warnings: [] });
        controller.enqueue({ type: 'finish', finishReason: STOP, usage: USAGE });
        controller.close();
      },
    }),
  }),
};

function textOf(message: LanguageModelV4Message): string {
  if (message.role === 'system') return message.content;
  return message.content
    .map((part) => {
      if (part.type === 'text' || part.type === 'reasoning') return part.text;
      if (part.type === 'tool-call') return `→ ${part.toolName}(${JSON.stringify(part.input)})`;
      if (part.type === 'tool-result') return `← ${part.toolName}: ${outputText(part.output)}`;
      return `[${part.type}${'mediaType' in part ? ` ${part.mediaType}` : ''}]`;
    })
    .join('\n');
}

function outputText(output: LanguageModelV4ToolResultOutput): string {
  if (output.type !== 'content') return 'value' in output ? String(output.value) : '';
  return output.value.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
}

const tokensOf = ({ prompt, tools }: PromptRecord): number =>
  estimateTokens(prompt.map(textOf).join('\n')) +
  ((tools ?? []).length === 0 ? 0 : estimateTokens(JSON.stringify(tools)));
