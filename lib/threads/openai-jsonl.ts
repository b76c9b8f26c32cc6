import { toDotPath } from 'zod/v4/core';
import { mediaTypeOf } from '#lib/base/data-url.ts';
import { defined } from '#lib/base/defined.ts';
import type {
  AssistantMessage,
  AssistantPart,
  CompactionPart,
  Message,
  StepPart,
  ToolCallPart,
  UserMessage,
} from '#lib/messages/message.ts';
import { type ExportedCompaction, withImportedIds } from './exported-compactions.ts';
import type { MessageNode } from './message-tree.ts';
import {
  type OpenAiLine,
  openAiLineSchema,
  partsOf,
  resultIn,
  stepOf,
  stepsOf,
  toResultLine,
  toStepLine,
  toUserLine,
} from './openai-lines.ts';

/** Thrown if a file is not a conversation; the message says which line is wrong and why. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}

/** Returns a branch as JSON Lines in OpenAI's message format, starting with the system prompt, unless that is blank. */
export function toOpenAiJsonl(branch: readonly Message[], systemPrompt: string): string {
  const lines: OpenAiLine[] = systemPrompt.trim() === '' ? [] : [{ role: 'system', content: systemPrompt }];
  const kept: Message[] = [];
  let waiting: readonly CompactionPart[] = [];
  for (const message of branch) {
    if (message.role === 'user') {
      kept.push(message);
      lines.push(toUserLine(message));
      continue;
    }
    // A summary refers to messages before it, or to its own.
    const turn = toTurnLines(message, [...kept, message], waiting);
    if (turn.lines.length > 0) kept.push(message);
    lines.push(...turn.lines);
    waiting = turn.waiting;
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/**
 * The lines of a turn. A compaction whose step has no line in the file goes to the next step that has one, perhaps in a later
 * turn. `before`: compactions that still wait for such a step from earlier turns. `waiting`: those that wait after this turn.
 */
function toTurnLines(
  turn: AssistantMessage,
  kept: readonly Message[],
  before: readonly CompactionPart[],
): { lines: OpenAiLine[]; waiting: readonly CompactionPart[] } {
  let waiting = [...before];
  const lines = stepsOf(turn).flatMap((step) => {
    const compactions = [...waiting, ...step.compactions.filter(({ failed }) => failed === undefined)];
    const line = toStepLine(turn, { ...step, compactions }, kept);
    waiting = line === undefined ? compactions : [];
    if (line === undefined) return [];
    const calls = step.parts.filter((part): part is ToolCallPart => part.type === 'tool-call');
    return [line, ...calls.map(toResultLine)];
  });
  return { lines, waiting };
}

/** A conversation that was read from a file. */
interface ImportedThread {
  nodes: MessageNode[];
  systemPrompt: string | null;
}

/** Options for reading a file. */
interface ReadOptions {
  /** Whether messages and calls keep the ids that they have in the file, because it is the same conversation. */
  keepsIds: boolean;
}

/**
 * Reads JSON Lines in OpenAI's format as the messages of one branch, with new ids, and the system prompt. Throws an
 * `ImportError` that names the first invalid line, or says that there are no messages.
 */
export const fromOpenAiJsonl = (source: string): ImportedThread => fromLines(readLines(source), { keepsIds: false });

/**
 * Reads validated lines as the messages of one branch, and the system prompt. `number`: a line's number in the file, for
 * errors. `keepsIds`: whether messages and calls keep the ids that they have in the file; otherwise, they get new ones. Throws
 * `ImportError` for a result whose call is in no earlier line, and if there are no messages.
 */
export function fromLines(
  lines: readonly { line: OpenAiLine; number: number }[],
  { keepsIds }: ReadOptions,
): ImportedThread {
  const imported: ImportedThread = { nodes: [], systemPrompt: null };
  const calls = new Map<string, ToolCallPart>();
  const compactions = new Map<AssistantPart, ExportedCompaction>();
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
        add(toUserMessage(line, keepsIds));
        break;
      case 'assistant':
        if (turn === undefined) {
          turn = { ...identity(line.roundtrip, keepsIds), role: 'assistant', parts: [], status: { type: 'done' } };
          add(turn);
        }
        turn.parts.push(...toCompactionParts(line, compactions), ...toStepParts(line, calls, imported, keepsIds));
        break;
      default: {
        const call = calls.get(line.tool_call_id);
        if (call === undefined)
          throw new ImportError(
            `Line ${number}: a result for the call "${line.tool_call_id}", but no earlier line contains that call.`,
          );
        // A result takes the place of the claim before it.
        call.result = resultIn(line, call);
      }
    }
  }
  if (imported.nodes.length === 0) throw new ImportError('The file contains no messages.');
  return { ...imported, nodes: withImportedIds(imported.nodes, compactions, calls) };
}

function readLines(source: string): { line: OpenAiLine; number: number }[] {
  return source
    .replace(/^\ufeff/, '')
    .split('\n')
    .flatMap((text, index) => {
      if (text.trim() === '') return [];
      let json: unknown;
      try {
        json = JSON.parse(text);
      } catch {
        throw new ImportError(`Line ${index + 1} is not valid JSON.`);
      }
      return [readLine(json, index + 1)];
    });
}

/**
 * Validates a line that was parsed as JSON, and returns it with its number. `number`: its number in the file, from 1. Throws
 * `ImportError` if it is not a message in OpenAI's format.
 */
export function readLine(json: unknown, number: number): { line: OpenAiLine; number: number } {
  const parsed = openAiLineSchema.safeParse(json);
  if (parsed.success) return { line: parsed.data, number };
  const [issue] = parsed.error.issues;
  const field = issue === undefined ? '' : toDotPath(issue.path);
  const reason =
    field === '' || field === 'role'
      ? 'its role must be system, user, assistant, or tool'
      : `"${field}": ${issue?.message}`;
  throw new ImportError(`This file isn’t a thread that the studio can read. Line ${number}: ${reason}.`);
}

function identity(
  known: { id?: string | undefined; createdAt?: number | undefined } | undefined,
  keepsIds: boolean,
): Pick<Message, 'id' | 'createdAt'> {
  return {
    id: (keepsIds ? known?.id : undefined) ?? crypto.randomUUID(),
    createdAt: known?.createdAt ?? Date.now(),
  };
}

function toUserMessage({ content, roundtrip }: Extract<OpenAiLine, { role: 'user' }>, keepsIds: boolean): UserMessage {
  const files = new Map((roundtrip?.files ?? []).map((file) => [file.at, file]));
  const parts: UserMessage['parts'] =
    typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : content.map((part, at) => {
          const file = files.get(at);
          const url = part.type === 'image_url' ? part.image_url.url : file?.url;
          if (url === undefined || !url.startsWith('data:'))
            return { type: 'text', text: part.type === 'text' ? part.text : '' };
          const { mediaType = mediaTypeOf(url) ?? 'image/png', filename } = file ?? {};
          return { type: 'file', mediaType, url, ...defined({ filename }) };
        });
  return { ...identity(roundtrip, keepsIds), role: 'user', parts };
}

/** The step part for a line that says nothing of its step, such as one from another program. */
const IMPORTED_STEP: AssistantPart = {
  type: 'step',
  model: '',
  provider: '',
  promptHash: '',
  settings: { systemPrompt: '', toolsets: [], toolCalling: 'native', budgetTokens: 0, lastStep: false },
  finishReason: 'imported',
  notices: [],
};

/**
 * The compaction parts of a line, which are also added to `compactions`. They keep the file's ids until `withImportedIds`
 * replaces these.
 */
function toCompactionParts(
  { roundtrip }: Extract<OpenAiLine, { role: 'assistant' }>,
  compactions: Map<AssistantPart, ExportedCompaction>,
): AssistantPart[] {
  return (roundtrip?.compactions ?? []).map((compaction) => {
    const { from: _, ...part } = compaction;
    compactions.set(part, compaction);
    return part;
  });
}

function toStepParts(
  line: Extract<OpenAiLine, { role: 'assistant' }>,
  calls: Map<string, ToolCallPart>,
  { systemPrompt }: ImportedThread,
  keepsIds: boolean,
): AssistantPart[] {
  const step = stepOf(line, systemPrompt ?? '');
  const parts = partsOf(line).map((part) => {
    if (part.type !== 'tool-call') return part;
    const call = keepsIds ? part : { ...part, toolCallId: crypto.randomUUID() };
    calls.set(part.toolCallId, call);
    return call;
  });
  return [step === undefined ? IMPORTED_STEP : keepsIds ? step : elsewhere(step), ...parts];
}

/**
 * A step as it is imported: without its usage and what it tells about its model, which count only where it was made. Its
 * prompt's hash is emptied, because the prompt cannot be rebuilt without the tools of that place.
 */
function elsewhere({ usage: _, runId: __, wasRead: ___, ...step }: StepPart): StepPart {
  return { ...step, promptHash: '' };
}
