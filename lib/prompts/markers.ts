/** Closing markers of reasoning, by their opening markers. */
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
/** Models close reasoning with any of these tags, whichever one opened it. */
export const TAG_CLOSINGS = ['</think>', '</thinking>', '</thought>', '</reasoning>'];
/** Tokens that templates put at the end of a message, wherever they show up. */
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
/** Tokens that templates put at the beginning of a message: whatever a model writes after one is invented. */
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
/** Tags or tokens that introduce a tool's result in some template. */
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
/** Tokens that close a container of calls, or the wrapper that a template puts around an answer. */
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

/** Characters that may follow a bracket that begins a call. */
const BEHIND = new Map([
  ['<', /[a-z_/|｜!]/i],
  ['{', /[\s"'“‘”＂\w]/],
  ['｛', /[\s"'“‘”＂\w]/],
  ['[', /[\s{/\w]/],
  ['f', /u/],
]);

/** Most brackets begin nothing; checking the next character is the quickest way to rule them out. */
export const isPromising = (character: string, behind: string): boolean =>
  behind === '' || (BEHIND.get(character)?.test(behind) ?? true);

/** Markers that are not shown if only their beginning appears at the very end of a reply. */
const MARKERS = [
  ...[...REASONING].flat(),
  ...['tool_call', 'tool_calls', 'function_calls', 'function_call', 'invoke', 'function=', 'TOOLCALL'].flatMap(
    (name) => [`<${name}`, `</${name}`],
  ),
  '<seed:tool_call',
  '<minimax:tool_call',
  '<end_of_turn>',
  '[TOOL_CALLS]',
  '@@call ',
  '[tool_result ',
];

/** Beginnings of a protocol's tag or header that are longer than its marker. */
const CUT_MARKERS = [
  /^<[|｜][\w▁｜]{2,}[|｜]?$/,
  /^<\/?(?:｜DSML｜|(?:\w+:)?(?:tool_calls?|function_calls?|toolcall)\b|function[= ]|invoke )[^>]{0,400}$/i,
];
const CUT_HEADER = /^<\|(?:channel|start)\|>(?:[a-z][^\n]{0,300})?$/;

/**
 * Whether a reply's last characters can only be a marker that was cut off. After a call, any tag belongs to the call.
 */
export const isCutMarker = (rest: string, isBehindCall: boolean, isSpoken: boolean): boolean =>
  (isBehindCall && /^<[^>\n]{0,400}$/.test(rest)) ||
  (rest.length >= 5 &&
    (MARKERS.some((marker) => marker.startsWith(rest)) ||
      CUT_MARKERS.some((cut) => cut.test(rest)) ||
      (!isSpoken && CUT_HEADER.test(rest))));
