import type { ProtocolPart } from './protocol-part.ts';

/** The parts of a reply in the making: neighbours of a kind are one, and the latest can be taken back while they are tentative. */
export class Output {
  #parts: ProtocolPart[] = [];
  #tentative: ProtocolPart[] | undefined;
  /** Calls that were reported, or begun and then cut, tentative ones included. */
  calls = 0;

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

  /** Throws away what was kept back. */
  rollBack(): void {
    for (const part of this.#tentative ?? []) if (part.type === 'tool-call') this.calls--;
    this.#tentative = undefined;
  }

  text(delta: string): void {
    if (delta !== '') this.emit({ type: 'text-delta', delta });
  }

  reasoning(delta: string): void {
    if (delta !== '') this.emit({ type: 'reasoning-delta', delta });
  }

  emit(part: ProtocolPart): void {
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
