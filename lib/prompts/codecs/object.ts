import { essentialSpec } from '#lib/tools/catalogue/brief-spec.ts';
import { mainTools, sampleConversations } from '#lib/tools/catalogue/main-tools.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import { inputSignature } from '#lib/tools/schema/signature.ts';
import type { ExampleTurn, ProtocolCodec, ReplayedCall, ReplayedResult } from '../codec.ts';
import { createCodec, formatCompactly } from './create-codec.ts';

const formatCall = ({ toolName, inputText }: Pick<ReplayedCall, 'toolName' | 'inputText'>): string =>
  `\`\`\`json\n{"name": ${JSON.stringify(toolName)}, "arguments": ${inputText}}\n\`\`\``;

const codec = createCodec({
  id: 'object',
  introduction: 'You call a tool by replying with a JSON object in a fence, and nothing after it:',
  rules: ['To make several calls, write several such fences. They run in that order.'],
  reminder:
    'The user cannot call tools: only you can. Never tell the user which tool to use, and never guess what it would return: call it yourself, by replying with the JSON object of the call. Where no tool is needed, answer in plain text.',
  formatToolCalls: (calls) => calls.map(formatCall).join('\n'),
  results: { formatToolResult, where: 'in a fence after “Result of NAME:”' },
});

/**
 * The codec that writes one JSON object for each call, in a code fence, with the arguments as an object, as small models that
 * were trained on code write calls by themselves. Its short version is the form that worked best in measurements: the tools
 * stand first, a sample conversation with the tools on offer comes before the real conversation, and results look like what
 * such models have read most: in a fence, or a sentence if the call failed.
 */
export const objectCodec: ProtocolCodec = {
  ...codec,
  isBrief: true,
  formatTools: (tools, { compact, examples }) =>
    compact ? formatBriefly(tools) : codec.formatTools(tools, { compact, examples }),
  formatExampleTurns: (tools, { compact, examples }) => (compact && examples ? formatConversation(tools) : []),
  // “Result of” may be an answer's own words.
  stopSequences: [],
};

const formatBriefly = (tools: readonly ToolSpec[]): string =>
  [
    '## Tools',
    formatList(tools),
    '## Calling tools',
    'To call a tool, reply with one JSON object in a fence, and stop:',
    formatCall({ toolName: 'TOOL_NAME', inputText: '{"argument":"value"}' }),
    'The result arrives in the next message. To make several calls, write several such fences. Read a file before you change it or answer a question about it: you have not seen any file yet.',
  ].join('\n\n');

/**
 * Lists the tools. The main ones come last, with a description, because small models choose among what they read last; of the
 * others, there is only the signature.
 */
function formatList(tools: readonly ToolSpec[]): string {
  const main = mainTools(tools);
  const others = tools.filter((tool) => !main.includes(tool)).map(essentialSpec);
  return [
    ...others.map((tool) => `${tool.name}(${inputSignature(tool)})`),
    ...main.map((tool) => formatCompactly(essentialSpec(tool))),
  ].join('\n');
}

/**
 * Writes a result in a fence, and a failure as a sentence. The lines behind that sentence may come from a file, so they are in
 * a fence, too.
 */
function formatToolResult({ toolName, text, hasFailed }: Omit<ReplayedResult, 'toolCallId'>): string {
  if (!hasFailed) return `Result of ${toolName}:\n${fenced(text)}`;
  const [reason = '', ...lines] = text.replace(/^Error \([\w-]+\): /, '').split('\n');
  const failure = `${toolName} failed: ${reason}`;
  return lines.length === 0 ? failure : `${failure}\n${fenced(lines.join('\n'))}`;
}

/** Writes a text in a fence that is longer than any fence in the text. */
function fenced(text: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}

/**
 * The examples of the tools on offer, as one conversation. It ends with a question that needs no call, because small models do
 * again what they did last. Empty if there are no examples.
 */
function formatConversation(tools: readonly ToolSpec[]): ExampleTurn[] {
  const turns = sampleConversations(tools).flatMap(({ ask, name, input, result, fails, next, answer }) => [
    user(ask),
    ...repliesOf([{ name, input, result, fails }, ...next]).flatMap(formatReply),
    assistant(answer),
  ]);
  return turns.length === 0 ? [] : [...turns, user('How do you say “cat” in Italian?'), assistant('Gatto.')];
}

type ExampleCall = {
  name: string;
  input?: unknown;
  result: string;
  fails?: true | undefined;
  together?: true | undefined;
};

/** Groups the calls by reply. A call with `together` belongs to the reply of the call before it. */
function repliesOf(calls: readonly ExampleCall[]): ExampleCall[][] {
  const replies: ExampleCall[][] = [];
  for (const call of calls) {
    const reply = call.together === true ? replies.at(-1) : undefined;
    if (reply === undefined) replies.push([call]);
    else reply.push(call);
  }
  return replies;
}

const formatReply = (calls: readonly ExampleCall[]): ExampleTurn[] => [
  assistant(
    calls.map(({ name, input }) => formatCall({ toolName: name, inputText: JSON.stringify(input) })).join('\n'),
  ),
  user(
    calls
      .map(({ name, result, fails = false }) => formatToolResult({ toolName: name, text: result, hasFailed: fails }))
      .join('\n\n'),
  ),
];

const user = (text: string): ExampleTurn => ({ role: 'user', text });
const assistant = (text: string): ExampleTurn => ({ role: 'assistant', text });
