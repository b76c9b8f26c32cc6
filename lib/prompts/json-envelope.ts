import { type JsonPath, JsonScanner, type JsonScannerHandler, JsonSyntaxError } from './json-scanner.ts';
import type { ProtocolPart } from './protocol-part.ts';

interface OpenCall {
  /** Set once the call is reported. */
  toolCallId: string | undefined;
  name: string | undefined;
  /** The arguments' JSON text so far; undefined until they begin. */
  inputText: string | undefined;
  inputClosed: boolean;
  reported: boolean;
}

/**
 * One `{"tool_calls":[…]}` object as it arrives. Reports a call as soon as its name is known and its arguments
 * begin, whether these are a JSON string or an object.
 */
export class JsonEnvelope implements JsonScannerHandler {
  #createId: () => string;
  #emit: (part: ProtocolPart) => void;
  #scanner = new JsonScanner(this);
  #call: OpenCall | undefined;
  #name = '';
  #sawList = false;
  /** Depth of the path at which an arguments object began; its characters are taken over as they are. */
  #rawDepth = -1;
  #delta = '';
  /** Whether a call was reported: from then on nothing of this object is ever text. */
  committed = false;

  constructor(createId: () => string, emit: (part: ProtocolPart) => void) {
    this.#createId = createId;
    this.#emit = emit;
  }

  /** `refused`: the character at `next` cannot be part of such an object. */
  push(chunk: string, start: number): { next: number; state: 'open' | 'done' | 'refused' } {
    let at = start;
    try {
      while (at < chunk.length && !this.#scanner.done) {
        // Inside an arguments object every character is also content, so it is read one at a time.
        if (this.#rawDepth === -1) {
          at = this.#scanner.push(chunk, at);
          continue;
        }
        const end = this.#scanner.push(chunk.slice(0, at + 1), at);
        if (end > at && this.#rawDepth !== -1) this.#append(chunk.charAt(at));
        at = end;
      }
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      this.#flush();
      return { next: this.#scanner.position, state: 'refused' };
    }
    this.#flush();
    return { next: at, state: this.#scanner.done ? 'done' : 'open' };
  }

  /** The reply ended inside the object. Returns whether it held a call. */
  end(): boolean {
    this.#flush();
    this.#closeCall();
    return this.committed;
  }

  enter(kind: 'object' | 'array', path: JsonPath): void {
    const place = placeOf(path);
    if (place === 'root' ? kind !== 'object' : place === 'list' ? kind !== 'array' : false) throw refusal();
    if (place === 'list') this.#sawList = true;
    if (place === 'call') {
      if (kind !== 'object') throw refusal();
      this.#call = {
        toolCallId: undefined,
        name: undefined,
        inputText: undefined,
        inputClosed: false,
        reported: false,
      };
    }
    if (place === 'name') throw refusal();
    if (place === 'arguments') {
      if (kind !== 'object') throw refusal();
      this.#startInput();
      this.#rawDepth = path.length;
      this.#scanner.pause();
      this.#append('{');
    }
  }

  leave(_kind: 'object' | 'array', path: JsonPath): void {
    if (path.length === this.#rawDepth) {
      this.#append('}');
      this.#rawDepth = -1;
      this.#endInput();
    } else if (placeOf(path) === 'call') this.#closeCall();
    else if (path.length === 0 && !this.#sawList) throw refusal();
  }

  key(path: JsonPath): void {
    if (path.length === 1 && path[0] !== 'tool_calls' && !this.committed) throw refusal();
  }

  stringStart(path: JsonPath): void {
    const place = placeOf(path);
    if (place === 'root' || place === 'list' || place === 'call') throw refusal();
    if (place === 'name') this.#name = '';
    if (place === 'arguments') this.#startInput();
  }

  stringChunk(text: string, path: JsonPath): void {
    const place = placeOf(path);
    if (place === 'name') this.#name += text;
    if (place === 'arguments') this.#append(text);
  }

  stringEnd(path: JsonPath): void {
    const place = placeOf(path);
    if (place === 'name' && this.#call !== undefined) {
      this.#call.name = this.#name;
      if (this.#call.inputText !== undefined) this.#report(this.#call);
    }
    if (place === 'arguments') this.#endInput();
  }

  literal(text: string, path: JsonPath): void {
    const place = placeOf(path);
    if (place === 'arguments' && text === 'null') {
      this.#startInput();
      this.#endInput();
    } else if (place === 'list' || place === 'call' || place === 'name' || place === 'arguments') throw refusal();
  }

  #startInput(): void {
    const call = this.#call;
    if (call === undefined || call.inputText !== undefined) throw refusal();
    call.inputText = '';
    if (call.name !== undefined) this.#report(call);
  }

  #report(call: OpenCall): void {
    if (call.reported || call.name === undefined) return;
    call.reported = true;
    call.toolCallId = this.#createId();
    this.committed = true;
    this.#emit({ type: 'tool-input-start', toolCallId: call.toolCallId, toolName: call.name });
    if (call.inputText) this.#emit({ type: 'tool-input-delta', toolCallId: call.toolCallId, delta: call.inputText });
  }

  #append(text: string): void {
    const call = this.#call;
    if (call?.inputText === undefined) return;
    call.inputText += text;
    if (call.reported) this.#delta += text;
  }

  /** One delta per piece of input, however many escapes it held. A lone high surrogate waits for its other half. */
  #flush(): void {
    const id = this.#call?.toolCallId;
    if (id === undefined || this.#delta === '') return;
    const last = this.#delta.charCodeAt(this.#delta.length - 1);
    const waits = last >= 0xd800 && last <= 0xdbff && !(this.#call?.inputClosed ?? false);
    const delta = waits ? this.#delta.slice(0, -1) : this.#delta;
    this.#delta = waits ? this.#delta.slice(-1) : '';
    if (delta !== '') this.#emit({ type: 'tool-input-delta', toolCallId: id, delta });
  }

  #endInput(): void {
    if (this.#call === undefined) return;
    this.#call.inputClosed = true;
    if (this.#call.reported) this.#closeCall();
  }

  /** Ends the open call, whole or cut; a second call of this for the same call does nothing. */
  #closeCall(): void {
    const call = this.#call;
    if (call === undefined || call.name === undefined) return;
    if (call.inputText === undefined) {
      call.inputText = '';
      call.inputClosed = true;
    }
    this.#report(call);
    this.#call = { ...call, inputClosed: true };
    this.#flush();
    this.#call = undefined;
    const toolCallId = call.toolCallId ?? '';
    const toolName = call.name;
    if (call.inputText.trim() === '' && call.inputClosed) {
      this.#emit({ type: 'tool-input-delta', toolCallId, delta: '{}' });
      call.inputText = '{}';
    }
    this.#emit({
      type: 'tool-call',
      toolCallId,
      toolName,
      input: parseInput(call.inputText),
      ...(call.inputClosed ? {} : { incomplete: true }),
    });
  }
}

type Place = 'root' | 'list' | 'call' | 'name' | 'arguments' | 'elsewhere';

/** What a path means: `tool_calls[i].function.name` and `.arguments`, or the two directly in the entry. */
function placeOf(path: JsonPath): Place {
  if (path.length === 0) return 'root';
  if (path[0] !== 'tool_calls') return 'elsewhere';
  if (path.length === 1) return 'list';
  if (path.length === 2) return 'call';
  const field = path.length === 4 && path[2] === 'function' ? path[3] : path.length === 3 ? path[2] : undefined;
  if (field === 'name' || field === 'arguments') return field;
  return 'elsewhere';
}

const refusal = (): JsonSyntaxError => new JsonSyntaxError('not a tool_calls object');

function parseInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
