import { storedThread } from '#e2e/lib/stored-threads.ts';
import type { AssistantMessage, AssistantPart, Message, StepPart, ToolCallPart } from '#lib/messages/message.ts';
import type { WholeThread } from '#lib/threads/adopt-thread.ts';
import { TOOLSETS } from '#lib/tools/toolset-names.ts';

/** A thread to store, and words that only its first row contains, and only its last. */
export interface BenchThread extends WholeThread {
  beginning: string;
  ending: string;
}

/** Every n-th answer has a tool call. */
const CALL_EVERY = 3;

/** A thread of questions and answers in turn; `rows` is the number of messages. */
export function threadOfRows(rows: number): BenchThread {
  return newThread(`A thread of ${rows} rows`, (ending) =>
    Array.from({ length: rows / 2 }, (_, index): Message[] => {
      const isLast = index === rows / 2 - 1;
      const text = isLast ? `${section(index)}\n\n${ending}` : section(index);
      const call = index % CALL_EVERY === 0 ? [step('tool-calls'), readCall(index)] : [];
      return [question(index), answer([...call, step('stop'), { type: 'text', text }])];
    }).flat(),
  );
}

/** A thread of one question, with an answer of that many calls. */
export function threadOfCalls(calls: number): BenchThread {
  return newThread(`A thread of ${calls} calls`, (ending) => {
    const parts = Array.from({ length: calls }, (_, index): AssistantPart[] => {
      const call = index % 8 === 6 ? searchCall(index) : index % 8 === 7 ? writeCall(index) : readCall(index);
      const isEndOfGroup = index % 16 === 15;
      return [
        step('tool-calls'),
        ...(isEndOfGroup ? [{ type: 'text' as const, text: `${sentence(index)} Now for the **next part**.` }] : []),
        call,
      ];
    }).flat();
    return [question(0), answer([...parts, step('stop'), { type: 'text', text: `${sentence(calls)}\n\n${ending}` }])];
  });
}

/** A long answer of at least that many characters. */
export function longAnswer(characters: number): string {
  let text = '';
  for (let index = 0; text.length < characters; index++)
    text += `## Part ${index + 1}\n\n${section(index + 1_000)}\n\n`;
  return text;
}

/** New ids each time, because the server remembers threads. */
function newThread(title: string, write: (ending: string) => Message[]): BenchThread {
  const id = crypto.randomUUID();
  const ending = `That is the end of ${id}.`;
  const beginning = `This is the beginning of ${id}.`;
  const messages = [question(0, `${beginning} What comes first?`), ...write(ending).slice(1)];
  const { thread, messages: nodes } = storedThread(id, messages);
  const settings = { ...thread.settings, model: 'scripted', toolCalling: 'native' as const, toolsets: [...TOOLSETS] };
  return { thread: { ...thread, title, settings }, messages: nodes, beginning, ending };
}

const question = (
  index: number,
  text = `Question ${index + 1}: how would you write module ${index + 1}, and why?`,
): Message => ({
  id: crypto.randomUUID(),
  role: 'user',
  createdAt: Date.now(),
  parts: [{ type: 'text', text }],
});

const answer = (parts: AssistantPart[]): AssistantMessage => ({
  id: crypto.randomUUID(),
  role: 'assistant',
  createdAt: Date.now(),
  parts,
  status: { type: 'done' },
});

const sentence = (index: number): string =>
  `Module ${index} keeps its own state, and everything that other modules may ask of it goes through one function.`;

/** Prose, a list, and a code block of 20 lines. Never the same twice, so that nothing can be reused. */
const section = (index: number): string =>
  [
    `${sentence(index)} It is *small*, so it can be read from top to bottom, and \`module${index}\` is its only export.`,
    [`- It stores ${index + 1} values.`, '- It **never** calls back.', `- Its errors name the value ${index}.`].join(
      '\n',
    ),
    `\`\`\`ts\n${codeLines(index, 20).join('\n')}\n\`\`\``,
    `With this, step ${index + 1} is complete. The next one builds on it, and may replace the sum by another operation.`,
  ].join('\n\n');

const codeLines = (index: number, count: number): string[] =>
  Array.from({ length: count }, (_, line) =>
    line === 0
      ? `export function module${index}(values: readonly number[]): number {`
      : line === count - 1
        ? '}'
        : `  const value${line} = values[${line}] ?? ${index * line}; // ${line % 2 === 0 ? 'even' : 'odd'}`,
  );

const step = (finishReason: string): StepPart => ({
  type: 'step',
  model: 'scripted',
  provider: 'local',
  promptHash: 'bench',
  settings: {
    systemPrompt: '',
    toolsets: [...TOOLSETS],
    toolCalling: 'native',
    budgetTokens: 100_000,
    lastStep: false,
  },
  finishReason,
  usage: { inputTokens: 100, outputTokens: 20 },
  durationMs: 1_000,
  notices: [],
});

function finishedCall(toolName: string, input: unknown, content: string, data: unknown): ToolCallPart {
  const toolCallId = crypto.randomUUID();
  return {
    type: 'tool-call',
    toolCallId,
    toolName,
    inputState: 'complete',
    input,
    result: { type: 'tool-result', toolCallId, toolName, durationMs: 3, output: { content, data } },
  };
}

function readCall(index: number): ToolCallPart {
  const path = `/src/module${index}.ts`;
  const content = codeLines(index, 10).join('\n');
  return finishedCall('read_file', { path }, content, { path, size: content.length, lines: 10 });
}

const searchCall = (index: number): ToolCallPart =>
  finishedCall('search_files', { pattern: `**/module${index}*` }, `/src/module${index}.ts`, undefined);

const writeCall = (index: number): ToolCallPart =>
  finishedCall(
    'write_file',
    { path: `/src/module${index}.ts`, content: codeLines(index, 10).join('\n') },
    `Wrote /src/module${index}.ts.`,
    undefined,
  );
