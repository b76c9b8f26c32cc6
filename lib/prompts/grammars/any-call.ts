import { type Reply, refuse } from '../reply.ts';
import type { Reading } from '../source.ts';
import { readCallItems } from './call-items.ts';
import { readDelimitedCall } from './delimited-calls.ts';
import { readFunctools } from './functools.ts';
import { readHarmonyHeader } from './harmony.ts';
import { readCallList, readCallObject } from './json-calls.ts';
import { readPythonList } from './python-calls.ts';
import { readAction } from './react.ts';
import { readTagCalls } from './tag-calls.ts';
import { readMistralCalls, readTokenCalls } from './token-calls.ts';

/** All grammars of calls that may begin with a character, in any position. */
export function callGrammars(reply: Reply, character: string): Reading<void>[] {
  switch (character) {
    case '<':
      return [readTagCalls(reply, readCallItems), readTokenCalls(reply), readHarmonyCall(reply)];
    case '{':
    case '｛':
      return [readCallObject(reply, false)];
    case '[':
      return [readMistralCalls(reply), readPythonList(reply, false), readCallList(reply, false)];
    case '@':
      return [readDelimitedCall(reply)];
    case 'A':
    case '*':
      return [readAction(reply)];
    case 'f':
      return [readFunctools(reply)];
    default:
      return [];
  }
}

/** Reads a call in gpt-oss's form; refuses its other messages. */
function* readHarmonyCall(reply: Reply): Reading<void> {
  if ((yield* readHarmonyHeader(reply)) !== 'call') refuse();
}
