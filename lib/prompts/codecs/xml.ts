import type { ReplayedCall } from '../codec.ts';
import { argumentsOf, asText, createCodec, jsonInTags } from './create-codec.ts';

/** Tags around every argument, as Qwen3-Coder writes them: text stands between them as it is. */
export const xmlCodec = createCodec({
  id: 'xml',
  introduction:
    'You call a tool by writing, at the end of your reply, an element with one parameter for each argument:',
  rules: [
    'A value stands between the line breaks as it is: nothing is escaped and nothing is indented. A number, true or false, a list or an object is written as JSON.',
    'To make several calls, write several such elements. They run in that order.',
  ],
  reminder:
    'write <tool_call><function=NAME><parameter=ARGUMENT>value</parameter></function></tool_call> at the end of your reply',
  formatToolCalls: (calls) => calls.map(formatCall).join('\n'),
});

function formatCall(call: ReplayedCall): string {
  const entries = argumentsOf(call);
  if (entries === undefined || !entries.every(([name, value]) => isSafe(name, asText(value)))) return jsonInTags(call);
  const parameters = entries.map(([name, value]) => `<parameter=${name}>\n${asText(value)}\n</parameter>\n`);
  return `<tool_call>\n<function=${call.toolName}>\n${parameters.join('')}</function>\n</tool_call>`;
}

/** Whether a value would be read as what it is. */
const isSafe = (name: string, text: string): boolean =>
  /^[\w.-]+$/.test(name) && !/<\/?(parameter|function|tool_call)/.test(text) && !text.endsWith('\r');
