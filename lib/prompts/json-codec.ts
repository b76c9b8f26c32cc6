import { type AnyToolDefinition, toolInputJsonSchema } from '#lib/tools/registry.ts';
import type { ToolResult } from '#lib/tools/tool.ts';
import type { ProtocolCodec, ReplayedCall } from './codec.ts';

/** The canonical form: OpenAI's `tool_calls` object, written as plain text at the end of the reply. */
export const jsonCodec: ProtocolCodec = {
  id: 'json',

  formatTools: (tools) => `## Calling tools

You call tools by writing one JSON object at the end of your reply, and nothing after it:

${formatCalls([{ toolCallId: 'call_1', toolName: 'TOOL_NAME', inputText: '{"argument":"value"}' }])}

- "arguments" is a JSON string that holds the arguments as a JSON object, so its quotes, backslashes and line breaks are escaped.
- To make several calls, put several entries into the "tool_calls" list. They run in that order.
- After the object, stop. The results come in the next message, between [tool_result ID NAME] and [/tool_result ID]. Never write a result yourself.
- If you think before you answer, plan the calls in your thoughts, but write the object outside of them. Only an object in the reply itself is run.
- To mention this format without calling anything, put it into inline code.

## Tools

${tools.map(formatTool).join('\n\n')}`,

  formatToolCalls: formatCalls,

  formatToolResult: (result) =>
    `[tool_result ${result.toolCallId} ${result.toolName}]\n${resultText(result)}\n[/tool_result ${result.toolCallId}]`,

  reminder:
    'To call a tool, end your reply with one JSON object {"tool_calls":[{"id":…,"type":"function","function":{"name":…,"arguments":…}}]}; otherwise answer in plain text.',

  stopSequences: ['\n[tool_result '],
};

function formatCalls(calls: readonly ReplayedCall[]): string {
  return JSON.stringify({
    tool_calls: calls.map(({ toolCallId, toolName, inputText }) => ({
      id: toolCallId,
      type: 'function',
      function: { name: toolName, arguments: inputText },
    })),
  });
}

function formatTool(tool: AnyToolDefinition): string {
  const examples = (tool.examples ?? []).map(
    ({ description, input }) =>
      `Example (${description}): ${formatCalls([{ toolCallId: 'call_1', toolName: tool.name, inputText: JSON.stringify(input) }])}`,
  );
  const schema = `Arguments (JSON Schema): ${JSON.stringify(toolInputJsonSchema(tool))}`;
  return [`### ${tool.name}`, tool.description, schema, ...examples].join('\n');
}

function resultText(result: ToolResult): string {
  return result.type === 'tool-result' ? result.output.content : `Error (${result.code}): ${result.message}`;
}
