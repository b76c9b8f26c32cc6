import { type AnyToolDefinition, toolInputJsonSchema } from '#lib/tools/registry.ts';
import type { ToolResult } from '#lib/tools/tool.ts';
import type { CodecId, ProtocolCodec, ReplayedCall } from '../codec.ts';

/** What is a codec's own: the form of a call, and the words for it. */
export interface CallForm {
  id: CodecId;
  /** How a call is written, before an example of it. */
  introduction: string;
  /** What else must be known of the form, a sentence a line. */
  rules: readonly string[];
  /** Ends the reminder “To call a tool, …”. */
  reminder: string;
  formatToolCalls(calls: readonly ReplayedCall[]): string;
}

/** A codec around a form of calls: the tools, the results and the rules that hold for every form are written here. */
export function createCodec({ id, introduction, rules, reminder, formatToolCalls }: CallForm): ProtocolCodec {
  const example = (toolName: string, input: unknown) =>
    formatToolCalls([{ toolCallId: 'call_1', toolName, inputText: JSON.stringify(input) }]);

  const formatTool = (tool: AnyToolDefinition): string => {
    const examples = (tool.examples ?? []).map(
      ({ description, input }) => `Example (${description}): ${example(tool.name, input)}`,
    );
    const schema = `Arguments (JSON Schema): ${JSON.stringify(toolInputJsonSchema(tool))}`;
    return [`### ${tool.name}`, tool.description, schema, ...examples].join('\n');
  };

  return {
    id,
    formatTools: (tools) => `## Calling tools

${introduction}

${example('TOOL_NAME', { argument: 'value' })}

${[...rules, ...RULES].map((rule) => `- ${rule}`).join('\n')}

## Tools

${tools.map(formatTool).join('\n\n')}`,
    formatToolCalls,
    formatToolResult: (result) =>
      `[tool_result ${result.toolCallId} ${result.toolName}]\n${resultText(result)}\n[/tool_result ${result.toolCallId}]`,
    reminder: `To call a tool, ${reminder}; otherwise answer in plain text.`,
    stopSequences: ['\n[tool_result '],
  };
}

const RULES = [
  'After your calls, stop. The results come in the next message, between [tool_result ID NAME] and [/tool_result ID]. Never write a result yourself.',
  'If you think before you answer, plan the calls in your thoughts, but write them outside of them. Only a call in the reply itself is run.',
  'To mention this format without calling anything, put it into inline code.',
];

function resultText(result: ToolResult): string {
  return result.type === 'tool-result' ? result.output.content : `Error (${result.code}): ${result.message}`;
}

/** A call's arguments by name; undefined where they are no object. */
export function argumentsOf({ inputText }: ReplayedCall): [name: string, value: unknown][] | undefined {
  try {
    const input: unknown = JSON.parse(inputText);
    return typeof input === 'object' && input !== null && !Array.isArray(input) ? Object.entries(input) : undefined;
  } catch {
    return undefined;
  }
}

/** A call between tags with its arguments as JSON: what is written where a form cannot hold them as they are. */
export const jsonInTags = ({ toolName, inputText }: ReplayedCall): string =>
  `<tool_call>\n{"name": ${JSON.stringify(toolName)}, "arguments": ${inputText}}\n</tool_call>`;

export const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
