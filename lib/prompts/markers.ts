/** What closes reasoning, by what opens it. */
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
/** Whichever of the tags opened reasoning, models close it with any. */
export const TAG_CLOSINGS = ['</think>', '</thinking>', '</thought>', '</reasoning>'];
/** What templates put at the end of a message, wherever it comes through. */
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
/** What templates put at the beginning of a message: what a model writes behind one, it only invents. */
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
/** What a tool's result begins with in some template, as a tag or a token. */
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
/** Tokens that close a call's surroundings, or what a template puts around an answer. */
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

/** What may stand behind a bracket that begins a call. */
const BEHIND = new Map([
  ['<', /[a-z_/|｜!]/i],
  ['{', /[\s"'“‘”＂\w]/],
  ['｛', /[\s"'“‘”＂\w]/],
  ['[', /[\s{/\w]/],
]);

/** Most brackets begin nothing, and what is behind them is the quickest way to see it. */
export const isPromising = (character: string, behind: string): boolean =>
  behind === '' || (BEHIND.get(character)?.test(behind) ?? true);

/** Markers whose beginning, at a reply's very end, is nothing to show. */
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

/** What the beginning of a protocol's tag or header looks like, longer than its marker. */
const CUT_MARKERS = [
  /^<[|｜][\w▁｜]{2,}[|｜]?$/,
  /^<\/?(?:｜DSML｜|(?:\w+:)?(?:tool_calls?|function_calls?|toolcall)\b|function[= ]|invoke )[^>]{0,400}$/i,
];
const CUT_HEADER = /^<\|(?:channel|start)\|>(?:[a-z][^\n]{0,300})?$/;

/** Whether a reply's last characters can only be a marker that was cut. Behind a call, any tag belongs to it. */
export const isCutMarker = (rest: string, isBehindCall: boolean, isSpoken: boolean): boolean =>
  (isBehindCall && /^<[^>\n]{0,400}$/.test(rest)) ||
  (rest.length >= 5 &&
    (MARKERS.some((marker) => marker.startsWith(rest)) ||
      CUT_MARKERS.some((cut) => cut.test(rest)) ||
      (!isSpoken && CUT_HEADER.test(rest))));
