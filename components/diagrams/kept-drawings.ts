import type { Drawing } from '#lib/sandbox/diagrams/drawing.ts';
import { DIAGRAM_LIMITS } from '#lib/sandbox/diagrams/limits.ts';

/**
 * A cache of drawings in memory, by scale and by a name that stands for all else on which a drawing depends: the kind and the
 * source of the diagram, and the theme. If they exceed a limit of bytes, the least recently used ones are dropped.
 */
export class KeptDrawings {
  /** Least recently used first. */
  readonly #all = new Map<string, Drawing>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number = DIAGRAM_LIMITS.keptBytes) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the drawing of a diagram at a scale; undefined if it is not in the cache. */
  get(name: string, scale: number): Drawing | undefined {
    const key = keyOf(name, scale);
    const drawing = this.#all.get(key);
    if (drawing === undefined) return undefined;
    this.#all.delete(key);
    this.#all.set(key, drawing);
    return drawing;
  }

  set(name: string, scale: number, drawing: Drawing): void {
    const key = keyOf(name, scale);
    this.#delete(key);
    this.#all.set(key, drawing);
    this.#bytes += sizeOf(drawing);
    for (const oldest of this.#all.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#delete(oldest);
    }
  }

  #delete(key: string): void {
    const drawing = this.#all.get(key);
    if (drawing === undefined) return;
    this.#all.delete(key);
    this.#bytes -= sizeOf(drawing);
  }
}

const keyOf = (name: string, scale: number): string => `${scale} ${name}`;

const sizeOf = ({ png, svg }: Drawing): number => png.byteLength + 2 * svg.length;
