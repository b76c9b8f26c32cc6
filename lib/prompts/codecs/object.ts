import type { ToolSpec } from '#lib/tools/core/spec.ts';
import type { ProtocolCodec, ReplayedCall, ReplayedResult } from '../codec.ts';
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
 * One JSON object for each call, in a fence, with the arguments as an object: the form in which small models that were
 * trained on code write calls by themselves. Its short version is made for them, word by word, by measuring: the tools
 * stand first, and calls of real ones are shown as what follows a question. Results look like what such models have read
 * most: results in a fence, failures as a sentence.
 */
export const objectCodec: ProtocolCodec = {
  ...codec,
  isBrief: true,
  formatTools: (tools, { compact, examples }) =>
    compact ? formatBriefly(tools, examples) : codec.formatTools(tools, { compact, examples }),
  // “Result of” may be an answer's own words.
  stopSequences: [],
};

const formatBriefly = (tools: readonly ToolSpec[], withExamples: boolean): string =>
  [
    '## Tools',
    tools.map(formatCompactly).join('\n'),
    '## Calling tools',
    'To call a tool, reply with one JSON object in a fence, and stop:',
    formatCall({ toolName: 'TOOL_NAME', inputText: '{"argument":"value"}' }),
    'The result arrives in the next message. To make several calls, write several such fences. Read a file before you change it.',
    ...(withExamples ? formatConversations(tools) : []),
  ].join('\n\n');

function formatToolResult({ toolName, text, hasFailed }: Omit<ReplayedResult, 'toolCallId'>): string {
  if (hasFailed) return `${toolName} failed: ${text.replace(/^Error \([\w-]+\): /, '')}`;
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = '`'.repeat(longest + 1);
  return `Result of ${toolName}:\n${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}

/** Questions with the calls that they lead to, some of them up to the answer, and one without a call. */
function formatConversations(tools: readonly ToolSpec[]): string[] {
  const offered = new Set(tools.map(({ name }) => name));
  const asked = tools.flatMap(({ name, examples = [] }) =>
    examples.flatMap(({ ask, input, result, next = [], answer }) => {
      if (ask === undefined) return [];
      const calls = [{ name, input, result }, ...next];
      const isWhole = answer !== undefined && calls.every((call) => offered.has(call.name));
      const shown = calls.slice(0, isWhole ? undefined : 1).map((call) => {
        const written = `You:\n${formatCall({ toolName: call.name, inputText: JSON.stringify(call.input) })}`;
        return isWhole
          ? `${written}\n${formatToolResult({ toolName: call.name, text: call.result, hasFailed: false })}`
          : written;
      });
      return [[`User: ${ask}`, ...shown, ...(isWhole ? [`You: ${answer}`] : [])].join('\n')];
    }),
  );
  return asked.length === 0 ? [] : ['Examples:', ...asked, 'User: Who wrote Faust?\nYou: Goethe.'];
}
