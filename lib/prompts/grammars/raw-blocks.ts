import type { CallWriter } from '../call-writer.ts';
import { PARSER_LIMITS } from '../limits.ts';
import type { Reading, Source } from '../source.ts';
import { readRawValue } from './raw-value.ts';
import { onlyClosersFollow, readTag } from './tag.ts';

/**
 * Reads the arguments that follow a call's object in blocks, each between the lines `<<<K` and `>>>K`, and ends the
 * call: the form that the studio's `raw` codec asks for.
 */
export function* readRawBlocks(source: Source, call: CallWriter): Reading<void> {
  for (;;) {
    const start = source.hold();
    // Some models close the call before its blocks.
    if ((yield* source.skipSpace(PARSER_LIMITS.space)) === '<' && (yield* source.accept('</tool_call>')))
      yield* source.skipSpace(PARSER_LIMITS.space);
    const key = (yield* source.accept('<<<'))
      ? yield* source.readWhile((character) => /[\w.-]/.test(character), PARSER_LIMITS.name)
      : undefined;
    if (key === undefined || key === '' || !['\n', '\r'].includes(yield* source.peek())) {
      source.rewind(start);
      return call.finish();
    }
    source.release(start);
    if (!(yield* readRawValue(source, call, key, { at: '\n', closes: blockEnd(key) }))) return call.cut();
  }
}

/**
 * Returns a function that checks whether a block ends at the current position, and reads its last line if so. Blocks of the
 * same name that are quoted inside have last lines of their own, which do not end the outer block.
 */
function blockEnd(key: string): (source: Source) => Reading<boolean> {
  let quoted = 0;
  return function* (source) {
    if (yield* source.sees(`\n<<<${key}\n`)) {
      quoted++;
      return false;
    }
    const start = source.hold();
    const isLastLine = yield* source.accept(`\n>>>${key}`);
    const behind = source.hold();
    const closes =
      isLastLine && (yield* quoted > 0 ? onlyClosersFollow(source, () => true) : goesOnBehindBlock(source));
    source.rewind(closes ? behind : start);
    if (closes) source.release(start);
    else if (isLastLine && quoted > 0) quoted--;
    return closes;
  };
}

/** Checks whether another block, the end of the call or the end of the reply follows. */
function* goesOnBehindBlock(source: Source): Reading<boolean> {
  const next = yield* source.skipSpace(PARSER_LIMITS.space);
  if (next !== '<') return next === '';
  return (yield* source.accept('<<<')) || (yield* readTag(source))?.isClosing === true;
}
