import type { ProtocolPart } from './protocol-part.ts';

/**
 * Collects the parts of a reply while it is parsed. Adjacent pieces of the same text or call are merged. The parts that are
 * emitted after `begin` are tentative: `commit` makes them final, `rollBack` discards them.
 */
export class Output {
  #parts: ProtocolPart[] = [];
  #tentative: ProtocolPart[] | undefined;
  /** Number of calls reported, including incomplete and tentative ones. */
  calls = 0;
  #isMuted = false;
  /** The last character that was emitted, by kind of part. */
  readonly #lastCharacters = new Map<string, string>();
  /** Kinds of parts whose next piece starts on a new line. */
  readonly #separated = new Set<string>();

  /** Whether parts are being held back. */
  get isTentative(): boolean {
    return this.#tentative !== undefined;
  }

  /** From here on, parts are tentative and held back. Not to be called while `isTentative`: parts held back would be lost. */
  begin(): void {
    this.#tentative = [];
  }

  /** Emits the parts that were held back. */
  commit(): void {
    const tentative = this.#tentative ?? [];
    this.#tentative = undefined;
    for (const part of tentative) this.emit(part);
  }

  /** Whether parts are being discarded. */
  get isMuted(): boolean {
    return this.#isMuted;
  }

  /** From here on, parts are discarded. */
  mute(): void {
    this.#isMuted = true;
  }

  /** From here on, parts are emitted again. */
  unmute(): void {
    this.#isMuted = false;
  }

  /** Discards the parts that were held back. */
  rollBack(): void {
    for (const part of this.#tentative ?? []) if (part.type === 'tool-call') this.calls--;
    this.#tentative = undefined;
  }

  /** Emits visible text. */
  text(delta: string): void {
    this.#flow('text-delta', delta);
  }

  /** Emits reasoning. */
  reasoning(delta: string): void {
    this.#flow('reasoning-delta', delta);
  }

  /** Starts the next piece of this kind on a new line: it is a separate message or thought of the model. */
  separate(kind: 'text-delta' | 'reasoning-delta'): void {
    this.#separated.add(kind);
  }

  #flow(type: 'text-delta' | 'reasoning-delta', delta: string): void {
    if (delta === '') return;
    const last = this.#lastCharacters.get(type);
    const isApart = last === undefined || last === '\n' || delta.startsWith('\n') || !this.#separated.has(type);
    this.#separated.delete(type);
    this.emit({ type, delta: isApart ? delta : `\n${delta}` });
    if (!this.#isMuted) this.#lastCharacters.set(type, delta.charAt(delta.length - 1));
  }

  /** Emits a part. A delta is merged with the one before it if both continue the same text or call. */
  emit(part: ProtocolPart): void {
    if (this.#isMuted) return;
    const parts = this.#tentative ?? this.#parts;
    const last = parts.at(-1);
    if (last !== undefined && 'delta' in last && last.type === part.type && sameCall(last, part))
      last.delta += part.delta;
    else parts.push(part);
  }

  /** Returns the parts that are final, and removes them from the output. */
  take(): ProtocolPart[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }
}

const sameCall = (a: ProtocolPart, b: ProtocolPart): boolean =>
  !('toolCallId' in a) || ('toolCallId' in b && a.toolCallId === b.toolCallId);
