import { readArguments } from '../json-reader.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { type Reply, refuse } from '../reply.ts';
import type { Reading, Source } from '../source.ts';
import { readCallItems } from './call-items.ts';
import { readArgumentsValue } from './json-arguments.ts';
import { readRawValue } from './raw-value.ts';
import { readToken } from './tag.ts';

/**
 * Special tokens that announce calls, in forms that models also write without them: Granite 3.0, Gemma 4, LFM2,
 * Llama 3.1, Llama 4, Command R7B and InternLM 2.5.
 */
const CONTAINERS = new Set([
  'tool_call',
  'tool_call>',
  'tool_call_start',
  'python_tag',
  'python_start',
  'START_ACTION',
  'action_start',
]);

/**
 * Checks whether a special token, such as `tool_call_start`, announces calls. `token`: its name, as `readToken` returns it.
 */
export const opensCalls = (token: string): boolean =>
  CONTAINERS.has(token) || token === 'tool_calls_begin' || token === 'tool_calls_section_begin';

/**
 * Reads a special token, such as `<|python_tag|>`, and the calls that it introduces. The token is one of `CONTAINERS`, or one
 * that begins the calls of DeepSeek V3, Kimi K2 or Kimi K3. Throws `REFUSAL` at any other token.
 */
export function* readTokenCalls(reply: Reply): Reading<void> {
  const { source } = reply;
  const token = yield* readToken(source);
  if (token === undefined) return refuse();
  if (CONTAINERS.has(token)) {
    if (token === 'action_start') yield* acceptToken(source, 'plugin');
    reply.markDistinctive();
    yield* readCallItems(reply);
    reply.mayBeFollowed = token === 'tool_call_start';
    return;
  }
  if (token === 'tool_calls_begin' || token === 'tool_call_begin' || token === 'tool_calls_section_begin') {
    reply.markDistinctive();
    return yield* readTokenSection(reply, token === 'tool_call_begin');
  }
  if (token === 'open') {
    reply.markDistinctive();
    return yield* readOpenClose(reply);
  }
  refuse();
}

/** Reads a token of this name, with white space before it, if it comes next; otherwise reads nothing. */
function* acceptToken(source: Source, name: string): Reading<boolean> {
  const start = source.hold();
  if ((yield* source.skipSpace(PARSER_LIMITS.space)) === '<' && (yield* readToken(source)) === name) {
    source.release(start);
    return true;
  }
  source.rewind(start);
  return false;
}

/** Reads the calls of the chat templates of DeepSeek V3 and Kimi K2: each between its own tokens, its name first. */
function* readTokenSection(reply: Reply, isInCall: boolean): Reading<void> {
  const { source } = reply;
  for (let inCall = isInCall; ; inCall = false) {
    if (!inCall && !(yield* acceptToken(source, 'tool_call_begin'))) {
      if (reply.isCertain) return;
      refuse();
    }
    const head = yield* source.readWhile((character) => /[^<\n{]/.test(character), PARSER_LIMITS.name);
    if (head === undefined) return reply.isCertain ? undefined : refuse();
    let name = head.trim();
    if (yield* acceptToken(source, 'tool_sep')) {
      if (name === 'function') {
        const line = yield* source.readWhile((character) => /[^<\n{]/.test(character), PARSER_LIMITS.name);
        if (line === undefined) return reply.isCertain ? undefined : refuse();
        name = line.trim();
      }
    } else if (!(yield* acceptToken(source, 'tool_call_argument_begin'))) {
      if (reply.isCertain) return;
      refuse();
    }
    // Kimi numbers its calls.
    name = name.replace(/:\d+$/, '');
    if (!/^[\w./:-]+$/.test(name)) return reply.isCertain ? undefined : refuse();
    reply.commit();
    yield* source.skipSpace();
    if (yield* source.accept('```')) yield* source.readWhile((character) => /\w/.test(character), PARSER_LIMITS.name);
    const next = yield* source.skipSpace();
    if (next === '' || (source.ranOut && next === '`')) {
      source.at = source.text.length;
      return reply.startCall(name).cut();
    }
    if (next === '{' || next === '"') yield* readArgumentsValue(reply, name);
    else reply.startCall(name).finish();
    yield* source.skipSpace();
    yield* source.accept('```');
    yield* acceptToken(source, 'tool_call_end');
  }
}

/** Reads the calls of Kimi K3's chat template: everything is opened and closed by name. */
function* readOpenClose(reply: Reply): Reading<void> {
  const { source } = reply;
  if (!(yield* source.accept('tools')) || !(yield* acceptToken(source, 'sep'))) refuse();
  while (yield* acceptToken(source, 'open')) {
    const head = yield* readHead(source);
    const name = head?.attributes.get('tool');
    if (head === undefined || name === undefined) return reply.isCertain ? undefined : refuse();
    const call = reply.startCall(name);
    while (yield* acceptToken(source, 'open')) {
      const head = yield* readHead(source);
      const key = head?.attributes.get('key');
      const isText = (head?.attributes.get('type') ?? 'string') === 'string';
      const end = { at: '<', isText, isExact: true, closes: closesArgument } as const;
      if (key === undefined || !(yield* readRawValue(source, call, key, end))) return call.cut();
    }
    if (source.ranOut && !call.hasRequired) return call.cut();
    call.finish();
    if (yield* acceptToken(source, 'close')) yield* readHead(source);
  }
  if (yield* acceptToken(source, 'close')) yield* readHead(source);
}

/** Reads the text between `<|open|>` and `<|sep|>`: a kind and its attributes. Undefined if it is none. */
function* readHead(source: Source): Reading<{ attributes: Map<string, string> } | undefined> {
  const head = yield* source.readWhile((character) => /[^<\n]/.test(character), PARSER_LIMITS.tag);
  if (head === undefined || !(yield* acceptToken(source, 'sep'))) return undefined;
  return {
    attributes: new Map([...head.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value])),
  };
}

/** Reads the closing marker of an argument; it counts only if another argument or the end of the call follows. */
function* closesArgument(source: Source): Reading<boolean> {
  const start = source.hold();
  const isCloser =
    (yield* acceptToken(source, 'close')) && (yield* source.accept('argument')) && (yield* acceptToken(source, 'sep'));
  if (isCloser) {
    const behind = source.hold();
    const next = yield* source.skipSpace(PARSER_LIMITS.space);
    const goesOn =
      next === '' || (yield* acceptToken(source, 'open')) || (yield* acceptToken(source, 'close')) || source.ranOut;
    if (goesOn) {
      source.rewind(behind);
      source.release(start);
      return true;
    }
  }
  source.rewind(start);
  return false;
}

/**
 * Reads `[TOOL_CALLS]`, at whose bracket the source must be, and what follows it: a list of calls as objects, or one call
 * `NAME[ARGS]{…}`, as the templates of newer Mistral models have it.
 */
export function* readMistralCalls(reply: Reply): Reading<void> {
  const { source } = reply;
  if (!(yield* source.accept('[TOOL_CALLS]'))) refuse();
  reply.markDistinctive();
  const next = yield* source.skipSpace(PARSER_LIMITS.space);
  if (next === '[' || next === '{') return yield* readCallItems(reply);
  const name = yield* source.readWhile((character) => /[\w.-]/.test(character), PARSER_LIMITS.name);
  if (name === undefined || name === '' || reply.tools.isPlaceholder(name)) return refuse();
  yield* source.skipSpace(PARSER_LIMITS.space);
  if (yield* source.accept('[CALL_ID]'))
    yield* source.readWhile((character) => /[\w-]/.test(character), PARSER_LIMITS.name);
  yield* source.accept('[ARGS]');
  if ((yield* source.skipSpace(PARSER_LIMITS.space)) !== '{') refuse();
  const call = reply.startCall(name);
  if (yield* readArguments(source, call)) call.finish();
  else call.cut();
}
