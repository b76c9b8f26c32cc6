import type { ToolInputJsonSchema } from '#lib/tools/registry.ts';
import { JsonEnvelope } from './json-envelope.ts';
import type { ProtocolPart } from './protocol-part.ts';

export interface ProtocolParser {
  push(chunk: string): ProtocolPart[];
  /** The reply has ended; returns what was held back. */
  end(): ProtocolPart[];
}

export interface ProtocolParserOptions {
  tools: readonly { name: string; inputSchema: ToolInputJsonSchema }[];
  createId: () => string;
  /** The reply begins inside a reasoning block that the template opened. */
  startsInReasoning?: boolean;
}

/** The parser of the canonical form: the `tool_calls` object, bare or as the body of a fence, prose and reasoning around it. */
export function createProtocolParser(options: ProtocolParserOptions): ProtocolParser {
  return new CanonicalParser(options);
}

const REASONING_TAGS = ['<think>', '<thinking>', '<thought>', '<reasoning>'];
/** Languages of a fence whose body may be a call. */
const CALL_FENCES = new Set(['', 'json', 'tool_call', 'tool_code', 'tool_calls']);

type Mode =
  | { type: 'text' }
  /** From a line's first non-blank character that may begin a reasoning tag or a fence, until that is decided. */
  | { type: 'marker' }
  /** In a fence that is not a call, or between its opening and its first character. */
  | { type: 'fence'; opening: string; line: string; mayCall: boolean }
  | { type: 'reasoning'; close: string; matched: string }
  | { type: 'envelope'; fenced: string | undefined }
  /** After a fenced call, where the fence's own end is protocol too. */
  | { type: 'after-fenced-call'; opening: string };

class CanonicalParser implements ProtocolParser {
  #createId: () => string;
  #mode: Mode = { type: 'text' };
  #envelope: JsonEnvelope | undefined;
  /** Characters that are neither text nor protocol yet. */
  #held = '';
  #atLineStart = true;
  /** Length of the backtick run that opened inline code on this line; 0 outside. */
  #inlineCode = 0;
  #backticks = 0;
  #parts: ProtocolPart[] = [];

  constructor({ createId, startsInReasoning = false }: ProtocolParserOptions) {
    this.#createId = createId;
    if (startsInReasoning) this.#mode = { type: 'reasoning', close: '</think>', matched: '' };
  }

  push(chunk: string): ProtocolPart[] {
    let at = 0;
    while (at < chunk.length) at = this.#read(chunk, at);
    return this.#take();
  }

  end(): ProtocolPart[] {
    const mode = this.#mode;
    if (mode.type === 'envelope') {
      const committed = this.#envelope?.end() ?? false;
      if (!committed && !this.#isDistinctive()) this.#text(this.#held);
    } else if (mode.type === 'reasoning') this.#reasoning(mode.matched);
    else if (mode.type !== 'after-fenced-call') this.#text(this.#held);
    this.#held = '';
    return this.#take();
  }

  #take(): ProtocolPart[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }

  /** Reads at least one character; returns the index of the next. */
  #read(chunk: string, at: number): number {
    switch (this.#mode.type) {
      case 'text':
        return this.#readText(chunk, at);
      case 'marker':
        return this.#readMarker(chunk, at);
      case 'fence':
        return this.#readFence(chunk, at, this.#mode);
      case 'reasoning':
        return this.#readReasoning(chunk, at, this.#mode);
      case 'envelope':
        return this.#readEnvelope(chunk, at, this.#mode.fenced);
      default:
        return this.#readAfterFencedCall(chunk, at, this.#mode.opening);
    }
  }

  #readText(chunk: string, start: number): number {
    let at = start;
    for (; at < chunk.length; at++) {
      const character = chunk.charAt(at);
      if (character === '{' && !this.#inCode()) {
        this.#text(chunk.slice(start, at));
        this.#startEnvelope(undefined, '');
        return at;
      }
      if (this.#atLineStart && (character === '<' || character === '`' || character === '~')) {
        this.#text(chunk.slice(start, at));
        this.#mode = { type: 'marker' };
        return at;
      }
      this.#track(character);
    }
    this.#text(chunk.slice(start));
    return at;
  }

  #inCode(): boolean {
    return this.#inlineCode > 0 || this.#backticks > 0;
  }

  /** Follows line starts and inline code, which a run of backticks opens and an equally long run closes. */
  #track(character: string): void {
    if (character === '`') {
      this.#backticks++;
    } else if (this.#backticks > 0) {
      if (this.#inlineCode === 0) this.#inlineCode = this.#backticks;
      else if (this.#inlineCode === this.#backticks) this.#inlineCode = 0;
      this.#backticks = 0;
    }
    if (character === '\n') {
      this.#atLineStart = true;
      this.#inlineCode = 0;
    } else if (character !== ' ' && character !== '\t' && character !== '\r') this.#atLineStart = false;
  }

  #readMarker(chunk: string, at: number): number {
    const character = chunk.charAt(at);
    const candidate = this.#held + character;
    if (candidate.startsWith('<')) {
      const tag = REASONING_TAGS.find((name) => name === candidate);
      if (tag !== undefined) {
        this.#held = '';
        this.#mode = { type: 'reasoning', close: `</${tag.slice(1)}`, matched: '' };
        return at + 1;
      }
      if (REASONING_TAGS.some((name) => name.startsWith(candidate))) {
        this.#held = candidate;
        return at + 1;
      }
    } else if (/^(`{1,2}|~{1,2})$/.test(candidate)) {
      this.#held = candidate;
      return at + 1;
    } else if (candidate === '```' || candidate === '~~~') {
      this.#held = candidate;
      this.#mode = { type: 'fence', opening: candidate, line: '', mayCall: true };
      return at + 1;
    }
    this.#release();
    return at;
  }

  /** Inside a fence: its info line decides whether a call may follow; the line that closes it gives the text back. */
  #readFence(chunk: string, start: number, mode: Extract<Mode, { type: 'fence' }>): number {
    const character = chunk.charAt(start);
    if (mode.mayCall) return this.#readFenceOpening(character, start, mode);
    const newline = chunk.indexOf('\n', start);
    const end = newline === -1 ? chunk.length : newline + 1;
    const piece = chunk.slice(start, end);
    this.#text(piece);
    mode.line = mode.line.length > 200 ? mode.line : mode.line + piece;
    if (newline === -1) return end;
    if (isFenceEnd(mode.line, mode.opening)) this.#mode = { type: 'text' };
    mode.line = '';
    this.#atLineStart = true;
    return end;
  }

  #readFenceOpening(character: string, at: number, mode: Extract<Mode, { type: 'fence' }>): number {
    const hasInfo = this.#held.includes('\n');
    if (!hasInfo) {
      if (character === mode.opening.charAt(0) && mode.line === '') mode.opening += character;
      else if (character !== '\n') mode.line += character;
      this.#held += character;
      if (character === '\n' && !CALL_FENCES.has(mode.line.trim().toLowerCase())) this.#fenceIsText(mode);
      else if (mode.line.length > 40) this.#fenceIsText(mode);
      return at + 1;
    }
    if (/\s/.test(character)) {
      this.#held += character;
      return at + 1;
    }
    if (character === '{') {
      this.#startEnvelope(mode.opening, this.#held);
      return at;
    }
    this.#fenceIsText(mode);
    return at;
  }

  #fenceIsText(mode: Extract<Mode, { type: 'fence' }>): void {
    const held = this.#held;
    this.#held = '';
    this.#text(held);
    mode.mayCall = false;
    mode.line = held.includes('\n') ? held.slice(held.lastIndexOf('\n') + 1) : ' ';
  }

  #readReasoning(chunk: string, start: number, mode: Extract<Mode, { type: 'reasoning' }>): number {
    let at = start;
    let from = start;
    for (; at < chunk.length; at++) {
      const character = chunk.charAt(at);
      if (character === mode.close.charAt(mode.matched.length)) {
        if (mode.matched === '') this.#reasoning(chunk.slice(from, at));
        mode.matched += character;
        from = at + 1;
        if (mode.matched.length < mode.close.length) continue;
        this.#mode = { type: 'text' };
        this.#atLineStart = true;
        return at + 1;
      }
      if (mode.matched === '') continue;
      this.#reasoning(mode.matched);
      mode.matched = '';
      from = at;
      at--;
    }
    this.#reasoning(chunk.slice(from));
    return at;
  }

  #startEnvelope(fenced: string | undefined, held: string): void {
    this.#held = held;
    this.#envelope = new JsonEnvelope(this.#createId, (part) => this.#parts.push(part));
    this.#mode = { type: 'envelope', fenced };
  }

  #readEnvelope(chunk: string, start: number, fenced: string | undefined): number {
    const envelope = this.#envelope as JsonEnvelope;
    const { next, state } = envelope.push(chunk, start);
    this.#held = envelope.committed ? '' : this.#held + chunk.slice(start, next);
    if (state === 'open') return next;
    if (state === 'refused' && !envelope.committed) {
      if (fenced === undefined) this.#release();
      else this.#releaseFence(fenced);
      return next;
    }
    if (state === 'refused') envelope.end();
    this.#held = '';
    this.#mode = fenced === undefined ? { type: 'text' } : { type: 'after-fenced-call', opening: fenced };
    return next;
  }

  #readAfterFencedCall(chunk: string, at: number, opening: string): number {
    this.#held += chunk.charAt(at);
    const tail = this.#held.trimStart();
    if (tail === '' || opening.startsWith(tail)) {
      if (tail === opening) {
        this.#held = '';
        this.#mode = { type: 'text' };
      }
      return at + 1;
    }
    this.#mode = { type: 'fence', opening, line: ' ', mayCall: false };
    const held = this.#held;
    this.#held = '';
    this.#text(held);
    return at + 1;
  }

  /** Whether what is held can only have been protocol: it got past the envelope's own key. */
  #isDistinctive(): boolean {
    return /\{\s*"tool_calls"/.test(this.#held);
  }

  #release(): void {
    const held = this.#held;
    this.#held = '';
    this.#mode = { type: 'text' };
    for (const character of held) this.#track(character);
    this.#text(held);
  }

  #releaseFence(opening: string): void {
    const held = this.#held;
    this.#held = '';
    this.#mode = { type: 'fence', opening, line: held.slice(held.lastIndexOf('\n') + 1), mayCall: false };
    this.#text(held);
  }

  #text(delta: string): void {
    if (delta === '') return;
    const last = this.#parts.at(-1);
    if (last?.type === 'text-delta') last.delta += delta;
    else this.#parts.push({ type: 'text-delta', delta });
  }

  #reasoning(delta: string): void {
    if (delta === '') return;
    const last = this.#parts.at(-1);
    if (last?.type === 'reasoning-delta') last.delta += delta;
    else this.#parts.push({ type: 'reasoning-delta', delta });
  }
}

function isFenceEnd(line: string, opening: string): boolean {
  const trimmed = line.trim();
  return trimmed.length >= opening.length && trimmed === opening.charAt(0).repeat(trimmed.length);
}
