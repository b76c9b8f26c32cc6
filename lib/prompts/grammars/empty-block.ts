import { PARSER_LIMITS } from '../limits.ts';
import { CLOSING_TOKENS } from '../markers.ts';
import type { Reading, Source } from '../source.ts';
import { CONTAINERS } from './call-tags.ts';
import { readTag, readToken, type Tag } from './tag.ts';
import { opensCalls } from './token-calls.ts';

/**
 * Reads a container without calls, up to the end of its line, as models write it when they call nothing:
 * `<tool_calls></tool_calls>`, nested containers, and an empty list or object between two tags or tokens. Returns whether there
 * was one; if not, the caller rewinds the source.
 */
export function* skipEmptyBlock(source: Source): Reading<boolean> {
  const opening = yield* readTag(source);
  if (opening === undefined) {
    if (!opensCalls((yield* readToken(source)) ?? '') || !(yield* skipEmptyBrackets(source))) return false;
    return CLOSING_TOKENS.has((yield* readToken(source)) ?? '');
  }
  const open: string[] = [];
  let count = 0;
  for (let tag: Tag | undefined = opening; tag !== undefined; tag = yield* readTag(source)) {
    if (++count > PARSER_LIMITS.emptyTags || !CONTAINERS.has(tag.name) || tag.attributes.size > 0) return false;
    if (!tag.isClosing) open.push(tag.name);
    else if (open.pop() !== tag.name) return false;
    if (open.length === 0) break;
    if (!(yield* skipEmptyBrackets(source))) return false;
  }
  yield* source.readWhile((character) => character === ' ' || character === '\t', PARSER_LIMITS.space);
  return open.length === 0 && ['', '\n', '\r', '<'].includes(yield* source.peek());
}

/** Skips an empty list or object, if there is one; returns whether a tag or a token follows. */
function* skipEmptyBrackets(source: Source): Reading<boolean> {
  for (const [first, last] of ['[]', '{}']) {
    if ((yield* source.skipSpace(PARSER_LIMITS.space)) !== first) continue;
    source.at++;
    if ((yield* source.skipSpace(PARSER_LIMITS.space)) !== last) return false;
    source.at++;
  }
  return (yield* source.skipSpace(PARSER_LIMITS.space)) === '<';
}
