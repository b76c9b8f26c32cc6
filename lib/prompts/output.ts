import type { ProtocolPart } from './protocol-part.ts';

/** The parts of a reply in the making: neighbours of a kind are one, and the latest can be taken back while they are tentative. */
export class Output {
  #parts: ProtocolPart[] = [];
  #tentative: ProtocolPart[] | undefined;
  /** Calls that were reported, or begun and then cut, tentative ones included. */
  calls = 0;
  #isMuted = false;
  /** The last character of each kind. */
  readonly #lastCharacters = new Map<string, string>();
  /** Kinds of which the next piece begins on a new line. */
  readonly #separated = new Set<string>();

  get isTentative(): boolean {
    return this.#tentative !== undefined;
  }

  /** From here on, parts are kept back. */
  begin(): void {
    this.#tentative = [];
  }

  /** Lets go what was kept back. */
  commit(): void {
    const tentative = this.#tentative ?? [];
    this.#tentative = undefined;
    for (const part of tentative) this.emit(part);
  }

  /** Whether nothing is taken in. */
  get isMuted(): boolean {
    return this.#isMuted;
  }

  /** From here on, parts are thrown away as they come. */
  mute(): void {
    this.#isMuted = true;
  }

  unmute(): void {
    this.#isMuted = false;
  }

  /** Throws away what was kept back. */
  rollBack(): void {
    for (const part of this.#tentative ?? []) if (part.type === 'tool-call') this.calls--;
    this.#tentative = undefined;
  }

  text(delta: string): void {
    this.#flow('text-delta', delta);
  }

  reasoning(delta: string): void {
    this.#flow('reasoning-delta', delta);
  }

  /** What comes next of this kind begins on a new line: it is another message of the model, or another thought. */
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

  emit(part: ProtocolPart): void {
    if (this.#isMuted) return;
    const parts = this.#tentative ?? this.#parts;
    const last = parts.at(-1);
    if (last !== undefined && 'delta' in last && last.type === part.type && sameCall(last, part))
      last.delta += part.delta;
    else parts.push(part);
  }

  /** What can be handed on. */
  take(): ProtocolPart[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }
}

const sameCall = (a: ProtocolPart, b: ProtocolPart): boolean =>
  !('toolCallId' in a) || ('toolCallId' in b && a.toolCallId === b.toolCallId);
