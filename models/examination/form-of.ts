/** Forms in which models write calls as text, each with a pattern that recognizes it. The first one that matches counts. */
const FORMS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['[TOOL_CALLS]', /\[TOOL_CALLS\]/],
  ['functools[…]', /functools\s{0,20}\[/],
  ['<|channel|>', /<\|channel\|>|<\|start\|>/],
  ['<|tool_call_start|>', /<\|tool_calls?(?:_start|_begin|_section_begin)?\|>|<｜tool▁calls?▁begin｜>/],
  ['<function=…>', /<function=/],
  ['<tool_call>', /<tool_calls?>/],
  ['<|python_tag|>', /<\|python_tag\|>/],
  ['tool_code', /```(?:tool_code|tool_call|python)/],
  ['name(argument=…)', /^[ \t]{0,20}\[?[ \t]{0,20}\w{1,64}\([ \t]{0,20}\w{1,64}[ \t]{0,20}=/m],
  ['JSON', /\{\s{0,20}"(?:name|tool|function|tool_calls|action)"\s{0,20}:/],
];

/** The part of a text that is searched, in characters. */
const SEARCHED_CHARACTERS = 20_000;

/**
 * Returns the name of the form in which a text contains calls of tools, such as `<tool_call>` or `JSON`; undefined if it has
 * none in a known form.
 */
export function formOf(text: string): string | undefined {
  const searched = text.slice(0, SEARCHED_CHARACTERS);
  return FORMS.find(([, sign]) => sign.test(searched))?.[0];
}
