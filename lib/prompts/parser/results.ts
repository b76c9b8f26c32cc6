import { readTag } from '../grammars/tag.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { RESULT_MARKERS } from '../markers.ts';
import type { Reply } from '../reply.ts';
import type { Reading } from '../source.ts';

/**
 * Results of tools that the model invents. Neither they nor the model's comment on them are part of the answer, so the
 * rest of the reply is dropped. Owns the name of the tool whose result was invented.
 */
export class InventedResults {
  readonly #reply: Reply;
  #toolName: string | undefined;

  constructor(reply: Reply) {
    this.#reply = reply;
  }

  /** The tool whose result the model wrote; undefined if it wrote none, or did not name it. */
  get toolName(): string | undefined {
    return this.#toolName;
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
