import { withExactNumbers } from '#lib/base/rounded-number.ts';
import { keywordsOf } from '#lib/tools/schema/json-schema.ts';

/**
 * Takes and returns a message of the protocol, as JSON text. In its structured result (`structuredContent`), integers that
 * JavaScript would round become strings of digits. All other parts keep their numbers.
 */
export function withExactIntegers(json: string): string {
  if (!json.includes('"structuredContent"')) return json;
  const exact = withExactNumbers(json);
  if (exact === json) return json;
  try {
    const message = JSON.parse(json);
    const result = keywordsOf(message.result) as Record<string, unknown> | undefined;
    if (result?.structuredContent === undefined) return json;
    result.structuredContent = JSON.parse(exact).result.structuredContent;
    return JSON.stringify(message);
  } catch {
    // The client reports what is wrong with the message.
    return json;
  }
}

/** Collects pieces of text, and passes on only whole lines. */
export class WholeLines {
  #pieces: string[] = [];
  #waiting = 0;

  /** The length of the line that has not ended, in UTF-16 code units. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Takes a piece, and returns the lines that have ended with it. */
  push(text: string): string {
    const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
    const lines = end === 0 ? '' : this.rest() + text.slice(0, end);
    const more = text.slice(end);
    this.#pieces.push(more);
    this.#waiting += more.length;
    return lines;
  }

  /** Removes and returns the line that has not ended. */
  rest(): string {
    const rest = this.#pieces.join('');
    this.#pieces = [];
    this.#waiting = 0;
    return rest;
  }
}

/**
 * Wraps `fetch` so that large integers in structured results arrive as strings, because the protocol's client would round
 * them.
 */
export const exactFetch =
  (request: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await request(input, init);
    const type = response.headers.get('content-type') ?? '';
    const isStream = type.startsWith('text/event-stream');
    if (response.body === null || !(isStream || type.includes('json'))) return response;
    const body = response.body
      .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
      .pipeThrough(isStream ? eventsExactly() : messageExactly())
      .pipeThrough(new TextEncoderStream());
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };

function eventsExactly(): TransformStream<string, string> {
  const lines = new WholeLines();
  return new TransformStream({
    transform: (text, controller) => controller.enqueue(inData(lines.push(text))),
    flush: (controller) => controller.enqueue(inData(lines.rest())),
  });
}

const inData = (lines: string): string =>
  lines.replace(/^(data:)([^\r\n]*)/gm, (_, name: string, json: string) => `${name}${withExactIntegers(json)}`);

function messageExactly(): TransformStream<string, string> {
  const pieces: string[] = [];
  return new TransformStream({
    transform: (text) => void pieces.push(text),
    flush: (controller) => controller.enqueue(withExactIntegers(pieces.join(''))),
  });
}
