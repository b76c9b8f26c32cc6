import * as z from 'zod';
import { mediaTypeOf, textOfDataUrl } from '#lib/base/data-url.ts';
import type {
  AssistantMessage,
  AssistantPart,
  CompactionPart,
  Message,
  ToolCallPart,
  UserMessage,
} from '#lib/messages/message.ts';
import { resultText } from '#lib/tools/core/tool-call.ts';
import { exported, exportedCompactionsSchema, withImportedIds } from './exported-compactions.ts';
import type { MessageNode } from './message-tree.ts';

/** Thrown if a file is not a conversation; the message says which line is wrong and why. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}

const contentPartSchema = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('image_url'),
    image_url: z.object({ url: z.string().startsWith('data:', 'must be a data: URL') }),
  }),
]);

/** One line: a message in the format of OpenAI's chat completions API. */
const lineSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content: z.string() }),
  z.object({ role: z.literal('user'), content: z.union([z.string(), z.array(contentPartSchema)]) }),
  z.object({
    role: z.literal('assistant'),
    content: z.string().nullish(),
    reasoning_content: z.string().nullish(),
    tool_calls: z
      .array(
        z.object({
          id: z.string(),
          type: z.literal('function'),
          function: z.object({ name: z.string(), arguments: z.string() }),
        }),
      )
      .optional(),
    /** What this format cannot hold. */
    roundtrip: z.object({ compactions: exportedCompactionsSchema }).optional().catch(undefined),
  }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() }),
]);

type Line = z.infer<typeof lineSchema>;

/** A branch as JSON Lines in OpenAI's message format, starting with the system prompt. */
export function toOpenAiJsonl(branch: readonly Message[], systemPrompt: string): string {
  const lines: Line[] = systemPrompt.trim() === '' ? [] : [{ role: 'system', content: systemPrompt }];
  const kept: Message[] = [];
  let waiting: readonly CompactionPart[] = [];
  for (const message of branch) {
    if (message.role === 'user') {
      kept.push(message);
      lines.push(toUserLine(message));
      continue;
    }
    // Whatever a summary refers to precedes it, or is its own message.
    const turn = toTurnLines(message, [...kept, message], waiting);
    if (turn.lines.length > 0) kept.push(message);
    lines.push(...turn.lines);
    waiting = turn.waiting;
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function toUserLine({ parts }: UserMessage): Line {
  const [only] = parts;
  if (parts.length === 1 && only?.type === 'text') return { role: 'user', content: only.text };
  return {
    role: 'user',
    content: parts.map((part) => {
      if (part.type === 'text') return { type: 'text', text: part.text };
      if (part.mediaType.startsWith('image/')) return { type: 'image_url', image_url: { url: part.url } };
      return { type: 'text', text: `Attached file ${part.filename ?? ''}:\n\n${textOfDataUrl(part.url)}` };
    }),
  };
}

/** `waiting`: compactions whose step is not in the file; they come with the next one that is. */
function toTurnLines(
  { parts }: AssistantMessage,
  kept: readonly Message[],
  before: readonly CompactionPart[],
): { lines: Line[]; waiting: readonly CompactionPart[] } {
  const steps: Exclude<AssistantPart, { type: 'step' | 'compaction' }>[][] = [];
  const compactions = new Map<number, CompactionPart[]>();
  for (const part of parts) {
    if (part.type === 'step') steps.push([]);
    else if (part.type === 'compaction')
      compactions.set(steps.length, [...(compactions.get(steps.length) ?? []), part]);
    else if (steps.length === 0) steps.push([part]);
    else steps.at(-1)?.push(part);
  }
  let waiting = [...before];
  const lines = steps.flatMap((step, index): Line[] => {
    waiting.push(...(compactions.get(index) ?? []).filter(({ failed }) => failed === undefined));
    const text = step.map((part) => (part.type === 'text' ? part.text : '')).join('');
    const reasoning = step.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
    const calls = step.filter((part): part is ToolCallPart => part.type === 'tool-call');
    if (text === '' && reasoning === '' && calls.length === 0) return [];
    const own = waiting;
    waiting = [];
    return [
      {
        role: 'assistant',
        content: text === '' ? null : text,
        ...(own.length > 0 && { roundtrip: { compactions: own.map((part) => exported(part, kept)) } }),
        ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
        ...(calls.length === 0
          ? {}
          : {
              tool_calls: calls.map(({ toolCallId, toolName, input, inputText }) => ({
                id: toolCallId,
                type: 'function' as const,
                function: { name: toolName, arguments: inputText ?? JSON.stringify(input ?? {}) },
              })),
            }),
      },
      ...calls.map((call): Line => ({ role: 'tool', tool_call_id: call.toolCallId, content: resultText(call.result) })),
    ];
  });
  waiting.push(...(compactions.get(steps.length) ?? []).filter(({ failed }) => failed === undefined));
  return { lines, waiting };
}

export interface ImportedThread {
  nodes: MessageNode[];
  systemPrompt: string | null;
}

/** Reads such lines as a branch with new ids. Throws an `ImportError` that names the first invalid line. */
export function fromOpenAiJsonl(source: string): ImportedThread {
  const lines = readLines(source);
  const imported: ImportedThread = { nodes: [], systemPrompt: null };
  const calls = new Map<string, ToolCallPart>();
  const compactions = new Map<AssistantPart, z.infer<typeof exportedCompactionsSchema>[number]>();
  let turn: AssistantMessage | undefined;
  const add = (message: Message) => {
    imported.nodes.push({ message, parentId: imported.nodes.at(-1)?.message.id ?? null });
  };
  for (const { line, number } of lines) {
    switch (line.role) {
      case 'system':
        imported.systemPrompt =
          imported.systemPrompt === null ? line.content : `${imported.systemPrompt}\n\n${line.content}`;
        break;
      case 'user':
        turn = undefined;
        add(toUserMessage(line.content));
        break;
      case 'assistant':
        if (turn === undefined) {
          turn = {
            id: crypto.randomUUID(),
            role: 'assistant',
            createdAt: Date.now(),
            parts: [],
            status: { type: 'done' },
          };
          add(turn);
        }
        turn.parts.push(...toCompactionParts(line, compactions), ...toStepParts(line, calls));
        break;
      default: {
        const call = calls.get(line.tool_call_id);
        if (call === undefined)
          throw new ImportError(
            `Line ${number}: a result for the call "${line.tool_call_id}", but no earlier line contains that call.`,
          );
        call.result = {
          type: 'tool-result',
          toolCallId: call.toolCallId,
          toolName: call.toolName,
          output: { content: line.content },
        };
      }
    }
  }
  if (imported.nodes.length === 0) throw new ImportError('The file contains no messages.');
  return { ...imported, nodes: withImportedIds(imported.nodes, compactions, calls) };
}

function readLines(source: string): { line: Line; number: number }[] {
  return source.split('\n').flatMap((text, index) => {
    if (text.trim() === '') return [];
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      throw new ImportError(`Line ${index + 1} is not valid JSON.`);
    }
    const parsed = lineSchema.safeParse(json);
    if (!parsed.success)
      throw new ImportError(`Line ${index + 1}: ${parsed.error.issues[0]?.message ?? 'not a valid message'}.`);
    return [{ line: parsed.data, number: index + 1 }];
  });
}

function toUserMessage(content: Extract<Line, { role: 'user' }>['content']): UserMessage {
  const parts: UserMessage['parts'] =
    typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : content.map((part) => {
          if (part.type === 'text') return part;
          const { url } = part.image_url;
          return { type: 'file', mediaType: mediaTypeOf(url) ?? 'image/png', url };
        });
  return { id: crypto.randomUUID(), role: 'user', createdAt: Date.now(), parts };
}

/** A step from elsewhere, about which nothing else is known. */
const IMPORTED_STEP: AssistantPart = {
  type: 'step',
  model: '',
  provider: '',
  promptHash: '',
  settings: { systemPrompt: '', toolsets: [], toolCalling: 'native', budgetTokens: 0, lastStep: false },
  finishReason: 'imported',
  notices: [],
};

/** Compactions as they are in the file. Their ids are those of the file until everything is imported. */
function toCompactionParts(
  { roundtrip }: Extract<Line, { role: 'assistant' }>,
  compactions: Map<AssistantPart, z.infer<typeof exportedCompactionsSchema>[number]>,
): AssistantPart[] {
  return (roundtrip?.compactions ?? []).map((compaction) => {
    const { from: _, ...part } = compaction;
    compactions.set(part, compaction);
    return part;
  });
}

function toStepParts(line: Extract<Line, { role: 'assistant' }>, calls: Map<string, ToolCallPart>): AssistantPart[] {
  const parts: AssistantPart[] = [IMPORTED_STEP];
  if (line.reasoning_content) parts.push({ type: 'reasoning', text: line.reasoning_content });
  if (line.content) parts.push({ type: 'text', text: line.content });
  for (const { id, function: fn } of line.tool_calls ?? []) {
    const call: ToolCallPart = {
      type: 'tool-call',
      toolCallId: crypto.randomUUID(),
      toolName: fn.name,
      ...inputOf(fn.arguments),
    };
    calls.set(id, call);
    parts.push(call);
  }
  return parts;
}

function inputOf(text: string): Pick<ToolCallPart, 'inputState' | 'input' | 'inputText'> {
  try {
    return { inputState: 'complete', input: JSON.parse(text) };
  } catch {
    return { inputState: 'invalid', inputText: text };
  }
}
