import type { ReplayedCall } from '../codec.ts';
import { createCodec } from './create-codec.ts';

/**
 * One JSON object for each call, in a fence, with the arguments as an object: the form in which small models that were
 * trained on code write calls by themselves (measured in docs/MODELS.md).
 */
export const objectCodec = createCodec({
  id: 'object',
  areToolsFirst: true,
  introduction: 'You call a tool by replying with a JSON object in a fence, and nothing after it:',
  rules: ['To make several calls, write several such fences. They run in that order.'],
  reminder:
    'Never tell the person which tool to call, and never guess what it would return: call it yourself. For that, reply with the JSON object {"name": …, "arguments": {…}} of the call. Where no tool is needed, answer in plain text.',
  formatToolCalls: (calls) => calls.map(formatCall).join('\n'),
});

const formatCall = ({ toolName, inputText }: ReplayedCall): string =>
  `\`\`\`json\n{"name": ${JSON.stringify(toolName)}, "arguments": ${inputText}}\n\`\`\``;
