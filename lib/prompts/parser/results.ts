import { readTag } from '../grammars/tag.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { RESULT_MARKERS } from '../markers.ts';
import type { Reply } from '../reply.ts';
import type { Reading } from '../source.ts';

/**
 * Results of tools that the model invents. Neither they nor the model's comment on them are part of the answer, so the
 * rest of the reply is dropped. Owns no state.
 */
export class InventedResults {
  readonly #reply: Reply;

  constructor(reply: Reply) {
    this.#reply = reply;
  }

  /** Drops a result that one of these markers introduces. */
  *drop(markers: readonly string[]): Reading<boolean> {
    for (const marker of markers) if (yield* this.#reply.source.accept(marker)) return yield* this.#dropRest();
    return false;
  }

  /** Drops a result that a tag introduces. */
  *dropTag(): Reading<boolean> {
    const { source } = this.#reply;
    const start = source.hold();
    const tag = yield* readTag(source);
    source.rewind(start);
    return tag?.isClosing === false && RESULT_MARKERS.has(tag.name) && (yield* this.#dropRest());
  }

  /** Drops a result behind the studio's own marker: after a call, or if the marker has a tool's name. */
  *dropNamed(): Reading<boolean> {
    const { source, output, tools } = this.#reply;
    const start = source.hold();
    const isMarker = yield* source.accept('[tool_result ');
    const words = isMarker
      ? yield* source.readWhile((character) => /[^\]\n]/.test(character), PARSER_LIMITS.name)
      : undefined;
    source.rewind(start);
    if (!isMarker || (output.calls === 0 && tools.find(words?.split(' ').at(-1) ?? '') === undefined)) return false;
    return yield* this.#dropRest();
  }

  *#dropRest(): Reading<true> {
    yield* this.#reply.source.finish();
    return true;
  }
}
