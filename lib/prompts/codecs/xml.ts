import type { ReplayedCall } from '../codec.ts';
import { argumentsOf, asText, createCodec, jsonInTags } from './create-codec.ts';

/** The codec that writes tags around every argument, as Qwen3-Coder does. The text between them is not escaped. */
export const xmlCodec = createCodec({
  id: 'xml',
  introduction:
    'You call a tool by writing, at the end of your reply, an element with one parameter for each argument:',
  rules: [
    'Write a value between the line breaks as it is: do not escape or indent it. Write numbers, true and false, lists and objects as JSON.',
    'To make several calls, write several such elements. They run in that order.',
  ],
  reminder:
    'To call a tool, write <tool_call><function=NAME><parameter=ARGUMENT>value</parameter></function></tool_call> at the end of your reply; otherwise answer in plain text.',
  formatToolCalls: (calls) => calls.map(formatCall).join('\n'),
});

function formatCall(call: ReplayedCall): string {
  const entries = argumentsOf(call);
  if (entries === undefined || !entries.every(([name, value]) => isSafe(name, asText(value)))) return jsonInTags(call);
  const parameters = entries.map(([name, value]) => `<parameter=${name}>\n${asText(value)}\n</parameter>\n`);
  return `<tool_call>\n<function=${call.toolName}>\n${parameters.join('')}</function>\n</tool_call>`;
}

/** Checks whether an argument would be read back unchanged if it were written between tags, without escapes. */
const isSafe = (name: string, text: string): boolean =>
  /^[\w.-]+$/.test(name) && !/<\/?(parameter|function|tool_call)/.test(text) && !text.endsWith('\r');
