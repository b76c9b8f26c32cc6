import { createParser } from 'eventsource-parser';
import * as z from 'zod';

/** The length of the beginning of a response that is examined, in characters. */
const OBSERVED_MAX_CHARACTERS = 1_000_000;

/** The traits of a response of OpenAI's chat completions on the wire, before anything was corrected. */
interface WireTraits {
  hasArgumentsAsObject: boolean;
  /** Whether several calls had the same index. */
  hasSameIndex: boolean;
  /** Whether several calls had the same id. */
  hasSameId: boolean;
  /** Whether the stream ended without a reason. */
  lacksFinishReason: boolean;
}

const chunkSchema = z.object({
  choices: z.array(
    z.object({
      finish_reason: z.string().nullish(),
      delta: z
        .object({
          tool_calls: z
            .array(
              z.object({
                index: z.number().nullish(),
                id: z.string().nullish(),
                function: z.object({ name: z.string().nullish(), arguments: z.unknown() }).nullish(),
              }),
            )
            .nullish(),
        })
        .nullish(),
    }),
  ),
});

type Chunk = z.infer<typeof chunkSchema>;

/** Records the latest response of a model's endpoint as it arrives, before anything in it is corrected. */
export class ResponseRecorder {
  #text = '';

  /** Returns a `fetch` that calls `request` and records the response. */
  watch(request: typeof fetch): typeof fetch {
    return async (input, init) => {
      this.#text = '';
      const response = await request(input, init);
      if (!response.ok || response.body === null) return response;
      const { status, statusText, headers } = response;
      const decoder = new TextDecoder();
      const watched = response.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform: (piece, controller) => {
            if (this.#text.length < OBSERVED_MAX_CHARACTERS) this.#text += decoder.decode(piece, { stream: true });
            controller.enqueue(piece);
          },
        }),
      );
      return new Response(watched, { status, statusText, headers: new Headers([...headers]) });
    };
  }

  /**
   * Returns the peculiarities of the latest response, such as several calls with the same index; undefined if it was not a
   * stream of chat completions.
   */
  latest(): WireTraits | undefined {
    const chunks: Chunk[] = [];
    const parser = createParser({
      onEvent: ({ data }) => {
        const chunk = parsedChunk(data);
        if (chunk !== undefined) chunks.push(chunk);
      },
    });
    parser.feed(this.#text);
    return chunks.length === 0 ? undefined : traitsOf(chunks);
  }
}

function parsedChunk(data: string): Chunk | undefined {
  try {
    return chunkSchema.safeParse(JSON.parse(data)).data;
  } catch {
    // It is no chunk, such as the `[DONE]` at the end.
    return undefined;
  }
}

function traitsOf(chunks: readonly Chunk[]): WireTraits {
  const choices = chunks.flatMap(({ choices: [choice] }) => choice ?? []);
  const deltas = choices.flatMap(({ delta }) => delta?.tool_calls ?? []);
  // A call begins with the delta that names its tool.
  const begun = deltas.filter(({ id, function: called }) => called?.name != null && id != null && id !== '');
  const countOf = (values: readonly unknown[]) => new Set(values).size;
  const indices = countOf(begun.map(({ index }) => index));
  const ids = countOf(begun.map(({ id }) => id));
  return {
    hasArgumentsAsObject: deltas.some(
      ({ function: called }) => typeof called?.arguments === 'object' && called.arguments !== null,
    ),
    hasSameIndex: ids > indices,
    hasSameId: indices > ids,
    lacksFinishReason: choices.every(({ finish_reason }) => finish_reason == null),
  };
}
