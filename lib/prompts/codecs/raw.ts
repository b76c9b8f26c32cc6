import type { ReplayedCall } from '../codec.ts';
import { argumentsOf, createCodec, jsonInTags } from './create-codec.ts';

/** The length, in characters, above which text goes into a block of its own, even if it has nothing to escape. */
const LONGEST_INLINE = 80;

/**
 * The codec that writes a small JSON object for the call, and long text in raw blocks after it, so that nothing in the text
 * is escaped.
 */
export const rawCodec = createCodec({
  id: 'raw',
  introduction: 'You call a tool by writing, at the end of your reply, a JSON object between tags:',
  rules: [
    'An argument with several lines, quotes or backslashes does not go into the object: write it below the object as a block, exactly as it is and without escaping. The block begins with a line <<<NAME and ends with a line >>>NAME, where NAME is the argument’s name. For example, after an object without "content":\n<<<content\nfirst line\nsecond “line”\n>>>content',
    'To make several calls, write several such elements. They run in that order.',
  ],
  reminder:
    'To call a tool, write <tool_call>{"name": …, "arguments": {…}}</tool_call> at the end of your reply, long text in blocks <<<NAME … >>>NAME before the closing tag; otherwise answer in plain text.',
  formatToolCalls: (calls) => calls.map(formatCall).join('\n'),
});

function formatCall(call: ReplayedCall): string {
  const entries = argumentsOf(call);
  if (entries === undefined) return jsonInTags(call);
  const isBlock = ([name, value]: [string, unknown]): boolean =>
    typeof value === 'string' && needsBlock(value) && canBeBlock(name, value);
  const inline = Object.fromEntries(entries.filter((entry) => !isBlock(entry)));
  const blocks = entries.filter(isBlock).map(([name, value]) => `<<<${name}\n${value}\n>>>${name}\n`);
  const head = `{"name": ${JSON.stringify(call.toolName)}, "arguments": ${JSON.stringify(inline)}}`;
  return `<tool_call>\n${head}\n${blocks.join('')}</tool_call>`;
}

const needsBlock = (text: string): boolean => text.length > LONGEST_INLINE || /["\\\n\r]/.test(text);

/** Checks whether a value written as a block would be read back unchanged. */
const canBeBlock = (name: string, text: string): boolean =>
  /^[\w.-]+$/.test(name) &&
  ![`<<<${name}`, `>>>${name}`].some((marker) => text.includes(marker)) &&
  !text.endsWith('\r');
