import { type Fields, fieldsOf, isFilled, listOf, numberOf, parsed, textOf } from './fields.ts';
import { DETAILS_MAX_CHARACTERS } from './limits.ts';

/**
 * Collects OpenRouter's details about a model's thoughts, signatures included. OpenRouter wants them back with the calls that
 * they led to (https://openrouter.ai/docs/use-cases/reasoning-tokens). The SDK keeps only a signature for each call, so all
 * details travel in the signature of the first one.
 */
export class ReasoningDetails {
  #details: Fields[] = [];
  #length = 0;

  /** Takes the details of a delta or message, which continue those before. */
  take(given: unknown): void {
    for (const detail of listOf(given).map(fieldsOf).filter(isFilled)) {
      this.#length += JSON.stringify(detail).length;
      if (this.#length > DETAILS_MAX_CHARACTERS) {
        this.#details = [];
        return;
      }
      const last = this.#details.at(-1);
      const isSame =
        last !== undefined &&
        last.type === detail.type &&
        (numberOf(last.index) ?? 0) === (numberOf(detail.index) ?? 0) &&
        [last.id, detail.id].filter((id) => id !== undefined && id !== null).length < 2;
      if (isSame) this.#details[this.#details.length - 1] = continued(last, detail);
      else this.#details.push(detail);
    }
  }

  /** Returns the signature that contains the details; empty if there are none, or too many to be sent with each request. */
  signature(): string {
    if (this.#details.length === 0) return '';
    return MARK + JSON.stringify(this.#details);
  }
}

const MARK = 'reasoning_details:';

/** The fields of a detail that come in pieces, which are joined. */
const IN_PIECES = ['text', 'summary', 'data'] as const;

function continued(one: Fields, other: Fields): Fields {
  const given = Object.entries(other).filter(([, value]) => value !== null && value !== undefined);
  const pieces = IN_PIECES.filter((name) => textOf(other[name]) !== '').map(
    (name) => [name, textOf(one[name]) + textOf(other[name])] as const,
  );
  return { ...one, ...Object.fromEntries(given), ...Object.fromEntries(pieces) };
}

/**
 * Returns the body of a request for chat completions in which the details that `ReasoningDetails` has put into signatures
 * are in `reasoning_details` again. A body without such signatures stays the same.
 */
export function withReasoningDetails(body: string): string {
  if (!body.includes(`"thought_signature":"${MARK}`)) return body;
  const value = fieldsOf(parsed(body));
  const messages = listOf(value.messages).map((message) => {
    const { tool_calls: calls, ...rest } = fieldsOf(message);
    if (!Array.isArray(calls)) return message;
    let details: unknown;
    const restored = calls.map((call) => {
      const { extra_content: extra, ...more } = fieldsOf(call);
      const signature = textOf(fieldsOf(fieldsOf(extra).google).thought_signature);
      if (!signature.startsWith(MARK)) return call;
      details ??= parsed(signature.slice(MARK.length));
      return more;
    });
    return { ...rest, ...(Array.isArray(details) && { reasoning_details: details }), tool_calls: restored };
  });
  return JSON.stringify({ ...value, messages });
}
