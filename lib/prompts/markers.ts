/**
 * Closing markers of reasoning, by their opening markers: DeepSeek R1's and Qwen 3's `<think>` and what models drift
 * to, Seed-OSS, Kimi-VL, Gemma 4, Command A Reasoning, and Magistral.
 */
export const REASONING = new Map([
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<reasoning>', '</reasoning>'],
  ['<seed:think>', '</seed:think>'],
  ['◁think▷', '◁/think▷'],
  ['<|channel>thought', '<channel|>'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['[THINK]', '[/THINK]'],
]);
/** The tags that close reasoning: models use any of them, whichever tag opened it. */
export const TAG_CLOSINGS = ['</think>', '</thinking>', '</thought>', '</reasoning>'];
/** Names of tokens that templates put at the end of a message. The parser leaves out those that a server has let through. */
export const END_TOKENS = new Set([
  'im_end',
  'endoftext',
  'end_of_text',
  'eot_id',
  'eom_id',
  'eot',
  'eom',
  'call',
  'return',
  'end',
  'end_of_sentence',
  'END_OF_TURN_TOKEN',
  '<turn',
]);
/**
 * Names of tokens that templates put at the beginning of a message. A model that writes one begins to invent another message,
 * unless it repeats the header of its own.
 */
export const START_TOKENS = new Set([
  'im_start',
  'start_header_id',
  'end_header_id',
  'end_of_role',
  'user',
  'assistant',
  'observation',
  'tool_response>',
]);
/** Names of tags and tokens that introduce a tool's result in some template. */
export const RESULT_MARKERS = new Set([
  'tool_response',
  'tool_result',
  'tool_results',
  'tool_output',
  'tool_outputs',
  'function_result',
  'function_results',
  'tool_outputs_begin',
  'tool_output_begin',
]);
/** Names of tokens that close a container of calls, or the wrapper that a template puts around an answer. */
export const CLOSING_TOKENS = new Set([
  '/tool_call',
  '<tool_call',
  'tool_call_end',
  'tool_calls_end',
  'tool_calls_section_end',
  'END_ACTION',
  'action_end',
  'python_end',
  'START_RESPONSE',
  'END_RESPONSE',
  'START_TEXT',
  'END_TEXT',
  'tool_sep',
  'close',
]);
