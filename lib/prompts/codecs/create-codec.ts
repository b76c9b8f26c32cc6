import { firstSentence } from '#lib/tools/catalogue/brief-spec.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import { inputSignature } from '#lib/tools/schema/signature.ts';
import type { ProtocolCodec, ReplayedCall } from '../codec.ts';

/** The parts that make up a codec, apart from the texts that all codecs share: the format of calls, and its description. */
export interface CallForm {
  /** The codec's name in a model's configuration. */
  id: string;
  /** The instruction for writing a call; an example follows it. */
  introduction: string;
  /** Further rules of the format, one list item each. */
  rules: readonly string[];
  /** The reminder of the format, which ends the system prompt. */
  reminder: string;
  /** Writes all calls of one reply, as the model should write them. */
  formatToolCalls(calls: readonly ReplayedCall[]): string;
  /**
   * The format of results, and the place where they are, as in “between x and y”; by default, between the studio's
   * markers.
   */
  results?: Pick<ProtocolCodec, 'formatToolResult'> & { where: string };
}

/**
 * Creates a codec from a format of calls, and adds the texts that all codecs share: the descriptions of the tools, the rules
 * about results, and examples.
 */
export function createCodec({
  id,
  introduction,
  rules,
  reminder,
  formatToolCalls,
  results: { formatToolResult, where } = MARKED_RESULTS,
}: CallForm): ProtocolCodec {
  const call = (toolName: string, input: unknown, toolCallId = 'call_1') =>
    formatToolCalls([{ toolCallId, toolName, inputText: JSON.stringify(input) }]);

  const formatTool = (tool: ToolSpec): string => {
    const examples = examplesOfOneCall(tool).map(
      ({ description, input, result }) =>
        `Example (${description}): ${call(tool.name, input)}\nResult:${result.includes('\n') ? '\n' : ' '}${result}`,
    );
    const schema = `Arguments (JSON Schema): ${JSON.stringify(tool.inputSchema)}`;
    return [`### ${tool.name}`, tool.description, schema, ...examples].join('\n');
  };

  return {
    id,
    formatTools: (tools, { compact, examples }) =>
      [
        '## Calling tools',
        introduction,
        call('TOOL_NAME', { argument: 'value' }),
        [...rules, ...(compact ? compactRules(where) : fullRules(where))].map((rule) => `- ${rule}`).join('\n'),
        ...(examples ? [formatExamples(call, formatToolResult)] : []),
        '## Tools',
        tools.map(compact ? formatCompactly : formatTool).join(compact ? '\n' : '\n\n'),
      ].join('\n\n'),
    formatToolCalls,
    formatToolResult,
    formatCorrection: (tool) => `[call_error ${tool.name}]
Your reply contains no call of ${tool.name} that could be read, so nothing was run. Only a call gets a result; never write one yourself. To call it, end your reply with the call in exactly this form, with the arguments ${inputSignature(tool)}:

${call(tool.name, tool.examples?.[0]?.input ?? {})}

If you did not mean to call a tool, answer the user again, and put anything that looks like a call into inline code.
[/call_error ${tool.name}]`,
    reminder,
    stopSequences: ['\n[tool_result '],
  };
}

/**
 * Returns the tool's examples that need only one call. If there are none, returns the first example, whose first call is
 * shown.
 */
function examplesOfOneCall({ examples = [] }: ToolSpec): NonNullable<ToolSpec['examples']> {
  const whole = examples.filter(({ next = [] }) => next.length === 0);
  return whole.length > 0 ? whole : examples.slice(0, 1);
}

const MARKED_RESULTS: NonNullable<CallForm['results']> = {
  formatToolResult: ({ toolCallId, toolName, text }) =>
    `[tool_result ${toolCallId} ${toolName}]\n${text}\n[/tool_result ${toolCallId}]`,
  where: 'between [tool_result ID NAME] and [/tool_result ID]',
};

const fullRules = (where: string): readonly string[] => [
  `After your calls, stop. The results arrive in the next message, ${where}. Never write a result yourself.`,
  'If you think before you answer, plan the calls in your reasoning, but write them in the reply itself. Only calls in the reply are run.',
  'To mention this format without calling anything, put it in inline code.',
];

const compactRules = (where: string): readonly string[] => [
  `After your calls, stop. Results arrive in the next message, ${where}. Never write one.`,
  'Plan calls in your reasoning, but write them in the reply itself.',
];

/** Writes two sample conversations. Their tools are fictional, so that no model tries to call them. */
function formatExamples(
  call: (toolName: string, input: unknown, toolCallId?: string) => string,
  formatToolResult: ProtocolCodec['formatToolResult'],
): string {
  const result = (toolCallId: string, toolName: string, text: string) =>
    formatToolResult({ toolCallId, toolName, text, hasFailed: false });
  return `## Examples of the format

These tools do not exist. They only show how calls, results and answers follow each other.

User: How warm is it in Oslo?
You: I’ll look it up.

${call('example_weather', { city: 'Oslo' }, 'call_1')}
Next message: ${result('call_1', 'example_weather', '4 °C, rain')}
You: It is 4 °C and raining in Oslo.

User: Send Ada the two lines of the poem.
You: ${call('example_letter', { to: 'Ada', text: 'He said "no",\nand left.' }, 'call_2')}
Next message: ${result('call_2', 'example_letter', 'Success')}
You: Sent.`;
}

/** Writes a tool in two lines: its signature, and the first sentence of its description. */
export function formatCompactly(tool: ToolSpec): string {
  return `${tool.name}(${inputSignature(tool)})\n  ${firstSentence(tool)}`;
}

/** Returns a call's arguments as pairs of name and value; undefined if they are not a JSON object. */
export function argumentsOf({ inputText }: ReplayedCall): [name: string, value: unknown][] | undefined {
  try {
    const input: unknown = JSON.parse(inputText);
    return typeof input === 'object' && input !== null && !Array.isArray(input) ? Object.entries(input) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes a call as JSON between `<tool_call>` tags: the fallback for arguments that a format cannot represent without
 * escapes.
 */
export const jsonInTags = ({ toolName, inputText }: ReplayedCall): string =>
  `<tool_call>\n{"name": ${JSON.stringify(toolName)}, "arguments": ${inputText}}\n</tool_call>`;

/** Returns a value as text for a format without escapes: a string as it is, anything else as JSON. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
