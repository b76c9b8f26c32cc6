import type { ReplayedCall } from '../codec.ts';
import { argumentsOf, asText, createCodec, jsonInTags } from './create-codec.ts';

/**
 * The codec that writes a call in lines that start with `@@`, one at the beginning, one before each argument, and one at the
 * end: for models that handle neither JSON nor tags well.
 */
export const delimitedCodec = createCodec({
  id: 'delimited',
  introduction: 'You call a tool by ending your reply with these lines, with each argument’s value below its name:',
  rules: [
    'Write a value below its line as it is: do not escape, quote or indent it. Write numbers, true and false, lists and objects as JSON.',
    'Every line that begins with @@ contains nothing else, and @@end ends the call.',
    'To make several calls, write them one after the other. They run in that order.',
  ],
  reminder:
    'To call a tool, end your reply with the lines @@call NAME, then @@ARGUMENT and its value for each argument, then @@end; otherwise answer in plain text.',
  formatToolCalls: (calls) => calls.map(formatCall).join('\n'),
});

function formatCall(call: ReplayedCall): string {
  const entries = argumentsOf(call);
  if (entries === undefined || !entries.every(([name, value]) => isSafe(name, asText(value)))) return jsonInTags(call);
  const lines = entries.map(([name, value]) => {
    const text = asText(value);
    return text === '' ? `@@${name}\n` : `@@${name}\n${text}\n`;
  });
  return `@@call ${call.toolName}\n${lines.join('')}@@end`;
}

/** Checks whether an argument would be read back unchanged if it were written without escapes. */
const isSafe = (name: string, text: string): boolean =>
  /^[\w.-]+$/.test(name) && name !== 'end' && !/^@@/m.test(text) && !text.endsWith('\r');
