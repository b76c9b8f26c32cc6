import { PARSER_LIMITS } from '../limits.ts';
import { type Reply, refuse } from '../reply.ts';
import type { Reading, Source } from '../source.ts';
import { readCallItems } from './call-items.ts';
import { readArgumentsValue } from './json-arguments.ts';

/**
 * Reads `Action: N` and `Action Input: …` at the beginning of a line: the loop of the ReAct paper (Yao et al., 2022), with the
 * labels of LangChain's prompt for it. An input that is not JSON becomes the tool's only required argument, or its first one.
 * Command-R's template has a fenced list of calls after `Action:`.
 */
export function* readAction(reply: Reply): Reading<void> {
  const { source } = reply;
  if (!(yield* acceptLabel(source, 'Action:'))) refuse();
  yield* source.skipSpace(PARSER_LIMITS.space);
  if (yield* source.sees('```')) return yield* readCallItems(reply);
  const isInCode = yield* source.accept('`');
  const name = yield* source.readWhile((character) => /[\w.-]/.test(character), PARSER_LIMITS.name);
  if (name === undefined || /^(none|null)?$/i.test(name)) return refuse();
  if (isInCode && !(yield* source.accept('`'))) refuse();
  const isKnown = reply.tools.find(name) !== undefined;
  if (isKnown) reply.markDistinctive();
  if ((yield* source.peek()) === '(' && isKnown) refuse();
  yield* source.skipSpace(PARSER_LIMITS.space);
  if (!(yield* acceptLabel(source, 'Action Input:'))) refuse();
  reply.markDistinctive();
  const next = yield* source.skipSpace(PARSER_LIMITS.space);
  if (next === '') {
    const call = reply.startCall(name);
    if (call.hasRequired) call.finish();
    else call.cut();
  } else if (next === '{') yield* readArgumentsValue(reply, name);
  else if (yield* isFencedObject(source)) yield* readFencedInput(reply, name);
  else yield* readPlainInput(reply, name);
}

/** Reads a label, which some models set in bold. */
function* acceptLabel(source: Source, label: string): Reading<boolean> {
  return (yield* source.accept(label)) || (yield* source.accept(`**${label}**`));
}

function* isFencedObject(source: Source): Reading<boolean> {
  const start = source.hold();
  const isObject = (yield* skipFenceOpening(source)) && (yield* source.skipSpace(PARSER_LIMITS.space)) === '{';
  source.rewind(start);
  return isObject;
}

function* skipFenceOpening(source: Source): Reading<boolean> {
  if (!(yield* source.accept('```'))) return false;
  return (yield* source.readWhile((character) => /\w/.test(character), PARSER_LIMITS.name)) !== undefined;
}

function* readFencedInput(reply: Reply, name: string): Reading<void> {
  const { source } = reply;
  yield* skipFenceOpening(source);
  yield* source.skipSpace();
  yield* readArgumentsValue(reply, name);
  yield* source.skipSpace();
  yield* source.accept('```');
}

/**
 * Reads an input that is not JSON: the text of the tool's only required argument, or of its first one, up to a blank line or an
 * invented observation.
 */
function* readPlainInput(reply: Reply, name: string): Reading<void> {
  const { source } = reply;
  const call = reply.startCall(name);
  const schema = reply.tools.find(name)?.inputSchema;
  const key = schema?.required?.length === 1 ? schema.required[0] : Object.keys(schema?.properties ?? {})[0];
  const lines: string[] = [];
  for (;;) {
    const line: string[] = [];
    for (;;) {
      const newline = source.text.indexOf('\n', source.at);
      const end = newline === -1 ? source.text.length : newline;
      line.push(source.text.slice(source.at, end));
      source.at = end;
      if (newline !== -1 || (yield* source.peek()) === '') break;
    }
    lines.push(line.join(''));
    const start = source.hold();
    const next = yield* source.peek();
    if (next !== '') source.at++;
    const isEnd = next === '' || /^[\n\r]?$/.test(yield* source.peek()) || (yield* source.accept('Observation:'));
    source.rewind(start);
    if (isEnd) break;
    source.at++;
  }
  const text = lines.join('\n').trim();
  if (key !== undefined && !/^(none|null)$/i.test(text)) call.value(key, text.replace(/^(["'])([\s\S]*)\1$/, '$2'));
  call.finish();
}
