import type { ToolSpec } from '#lib/tools/core/spec.ts';
import type { ProtocolCodec, ReplayedCall } from '../codec.ts';
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
});

/**
 * One JSON object for each call, in a fence, with the arguments as an object: the form in which small models that were
 * trained on code write calls by themselves. Its short version is made for them, word by word, by measuring: the tools
 * stand first, calls of real ones are shown as what follows a question, and results are not described, because such
 * models then write them themselves.
 */
export const objectCodec: ProtocolCodec = {
  ...codec,
  isBrief: true,
  formatTools: (tools, { compact, examples }) =>
    compact ? formatBriefly(tools, examples) : codec.formatTools(tools, { compact, examples }),
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

/** Questions with the calls that they lead to, some of them up to the answer, and one without a call. */
function formatConversations(tools: readonly ToolSpec[]): string[] {
  const asked = tools.flatMap(({ name, examples = [] }) =>
    examples.flatMap(({ ask, input, result, answer }) => {
      if (ask === undefined) return [];
      const call = `User: ${ask}\nYou:\n${formatCall({ toolName: name, inputText: JSON.stringify(input) })}`;
      return [answer === undefined ? call : `${call}\nResult: ${result.replaceAll('\n', ', ')}\nYou: ${answer}`];
    }),
  );
  return asked.length === 0 ? [] : ['Examples:', ...asked, 'User: Who wrote Faust?\nYou: Goethe.'];
}
