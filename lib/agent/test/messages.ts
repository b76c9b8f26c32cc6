import { applyChunk } from '#lib/messages/apply-chunk.ts';
import type { StudioChunk } from '#lib/messages/chunk.ts';
import type { AssistantMessage, AssistantPart, StepPart, UserMessage } from '#lib/messages/message.ts';
import type { ToolResult } from '#lib/tools/core/tool-call.ts';

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
  promptHash: 'hash',
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

/** Builds the message from the chunks as a browser does. */
export const buildTurn = (turn: AssistantMessage, chunks: readonly StudioChunk[]): AssistantMessage =>
  chunks.reduce((message, chunk) => applyChunk(message, chunk, 0), turn);
