import type { ReplayedCall } from '../codec.ts';
import { createCodec } from './create-codec.ts';

/** The default codec: OpenAI's `tool_calls` object, written as plain text at the end of the reply. */
export const jsonCodec = createCodec({
  id: 'json',
  introduction: 'You call tools by writing one JSON object at the end of your reply, and nothing after it:',
  rules: [
    '"arguments" is a JSON string that contains the arguments as a JSON object, so its quotes, backslashes and line breaks are escaped.',
    'To make several calls, put several entries in the "tool_calls" list. They run in that order.',
  ],
  reminder:
    'To call a tool, end your reply with one JSON object {"tool_calls":[{"id":…,"type":"function","function":{"name":…,"arguments":…}}]}; otherwise answer in plain text.',
  formatToolCalls: (calls: readonly ReplayedCall[]) =>
    JSON.stringify({
      tool_calls: calls.map(({ toolCallId, toolName, inputText }) => ({
        id: toolCallId,
        type: 'function',
        function: { name: toolName, arguments: inputText },
      })),
    }),
});
