import { readTag } from '../grammars/tag.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { RESULT_MARKERS } from '../markers.ts';
import type { Reply } from '../reply.ts';
import type { Reading } from '../source.ts';

/**
 * Finds results of tools, and messages of the user, that the model invents. Neither they nor the model's comment on them are
 * part of the answer, so the rest of the reply is dropped. Keeps the name of the tool whose result was invented.
 */
export class InventedResults {
  readonly #reply: Reply;
  #toolName: string | undefined;

  constructor(reply: Reply) {
    this.#reply = reply;
  }

  /** The name of the tool whose result the model wrote; undefined if it wrote none, or did not name the tool. */
  get toolName(): string | undefined {
    return this.#toolName;
  }

  /**
   * Drops the rest of the reply if one of these markers comes next, which introduce a result or a message of the user. Returns
   * whether it did.
   */
  *drop(markers: readonly string[]): Reading<boolean> {
    for (const marker of markers) if (yield* this.#reply.source.accept(marker)) return yield* this.#dropRest();
    return false;
  }

  /** Drops the rest of the reply if a tag comes next that introduces a result. Returns whether it did. */
  *dropTag(): Reading<boolean> {
    const { source } = this.#reply;
    const start = source.hold();
    const tag = yield* readTag(source);
    source.rewind(start);
    return tag?.isClosing === false && RESULT_MARKERS.has(tag.name) && (yield* this.#dropRest());
  }

  /**
   * Drops the rest of the reply if the studio's own marker of a result comes next. Before any call, the marker counts only with
   * the name of a known tool. Returns whether the rest was dropped.
   */
  *dropNamed(): Reading<boolean> {
    const { source, output, tools } = this.#reply;
    const start = source.hold();
    const isMarker = yield* source.accept('[tool_result ');
    const words = isMarker
      ? yield* source.readWhile((character) => /[^\]\n]/.test(character), PARSER_LIMITS.name)
      : undefined;
    source.rewind(start);
    const tool = tools.find(words?.split(' ').at(-1) ?? '');
    if (!isMarker || (output.calls === 0 && tool === undefined)) return false;
    this.#toolName ??= tool?.name;
    return yield* this.#dropRest();
  }

  *#dropRest(): Reading<true> {
    yield* this.#reply.source.finish();
    return true;
  }
}
