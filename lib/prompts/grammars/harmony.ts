import { PARSER_LIMITS } from '../limits.ts';
import { type Reply, refuse } from '../reply.ts';
import type { Reading } from '../source.ts';
import { readArgumentsValue } from './json-arguments.ts';
import { readToken } from './tag.ts';

/**
 * The kind of one of gpt-oss's messages, by its header: a `call` if it has a recipient other than the user, `reasoning` in
 * the channel `analysis`, and `text` otherwise.
 */
export type HarmonyMessage = 'reasoning' | 'text' | 'call';

/**
 * Reads a message's header in OpenAI's harmony response format, which gpt-oss writes, from `<|start|>` or `<|channel|>`
 * up to `<|message|>`. If the message is a call, reads it, too; otherwise its text stays unread.
 */
export function* readHarmonyHeader(reply: Reply): Reading<HarmonyMessage> {
  const { source } = reply;
  let token = yield* readToken(source);
  if (token !== 'start' && token !== 'channel') return refuse();
  let header = '';
  while (token !== 'message') {
    if (token !== 'channel' && header.includes(`${token}=`)) refuse();
    header += ` ${token}=`;
    const text = yield* source.readWhile((character) => /[^<\n]/.test(character), PARSER_LIMITS.tag);
    if (text === undefined) {
      reply.markDistinctive();
      refuse();
    }
    header += text;
    token = (yield* source.peek()) === '<' ? yield* readToken(source) : undefined;
    if (token === undefined || !['channel', 'constrain', 'message'].includes(token)) refuse();
    reply.markDistinctive();
  }
  const recipient = /(?:^|\s)to=([\w./:-]+)/.exec(header)?.[1];
  if (recipient !== undefined && recipient !== 'user') {
    if ((yield* source.skipSpace()) === '<') reply.startCall(recipient).finish();
    else yield* readArgumentsValue(reply, recipient);
    return 'call';
  }
  return /channel=analysis\b/.test(header) ? 'reasoning' : 'text';
}

/**
 * Reads a call in OpenAI's harmony response format, which gpt-oss writes; throws `REFUSAL` for any other message or text.
 */
export function* readHarmonyCall(reply: Reply): Reading<void> {
  if ((yield* readHarmonyHeader(reply)) !== 'call') refuse();
}
