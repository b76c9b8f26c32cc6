import { EndableWorker } from '#lib/base/endable-worker.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import { FrameNotStarted } from '../frame.ts';
import { HostChoice, whileServed } from '../host-choice.ts';
import { FRAME_START_TIMEOUT_MS } from '../limits.ts';
import { DiagramFrame } from './diagram-frame.ts';
import type { DiagramProblem, DiagramRequest, Drawer, Drawing } from './drawing.ts';
import { DIAGRAM_LIMITS } from './limits.ts';
import { readDrawing } from './read-drawing.ts';

/** The path at which the studio serves the script that draws diagrams. */
export const DIAGRAM_SCRIPT = '/preview-files/diagrams.js';

/** Thrown inside for a drawing that takes too long. */
class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/**
 * Draws diagrams as pictures, one after the other, in a hidden frame with an opaque origin and without a network. The frame
 * is opened with the first diagram, and again after one that took too much time or memory.
 */
export class Diagrams {
  readonly #hosts: HostChoice;
  readonly #queue = new SerialQueue();
  readonly #isApart: (abortSignal: AbortSignal) => Promise<boolean>;
  #worker: EndableWorker<Drawer> | undefined;

  /**
   * `sandboxOrigin`: the web origin that the operator has configured for frames, with `*` as a placeholder for a frame's label;
   * undefined if there is none. `isApart`: returns whether frames have a thread of their own; where they have none, only small
   * diagrams are drawn, because the page stands still meanwhile.
   */
  constructor(sandboxOrigin: string | undefined, isApart: (abortSignal: AbortSignal) => Promise<boolean>) {
    this.#hosts = new HostChoice(sandboxOrigin);
    this.#isApart = isApart;
  }

  /**
   * Draws a diagram; resolves with the problem if that is not possible. Rejects only with the signal's reason, if the signal
   * has fired before the drawing begins, or before the drawing fails. The signal does not stop a drawing that has begun.
   */
  async draw(request: DiagramRequest, abortSignal: AbortSignal): Promise<Drawing | DiagramProblem> {
    if (request.source.length > DIAGRAM_LIMITS.sourceMax)
      return { code: 'too-long', message: `It has more than ${DIAGRAM_LIMITS.sourceMax} characters.` };
    return this.#queue.run(async () => {
      abortSignal.throwIfAborted();
      try {
        return await this.#draw(request, abortSignal);
      } catch (error) {
        abortSignal.throwIfAborted();
        this.#worker?.end();
        this.#worker = undefined;
        return { code: error instanceof TooSlow ? 'too-slow' : 'not-started', message: messageOf(error) };
      }
    });
  }

  async #draw(request: DiagramRequest, abortSignal: AbortSignal): Promise<Drawing | DiagramProblem> {
    if (!isSmall(request) && !(await this.#isApart(abortSignal)))
      return { code: 'too-slow', message: 'This browser draws diagrams on the thread of the page.' };
    this.#worker ??= await whileServed(() => this.#open(abortSignal), Error, abortSignal);
    const drawn: unknown = await this.#worker.run((drawer) => drawer.draw(request) as Promise<unknown>, {
      timeoutMs: DIAGRAM_LIMITS.drawMs,
      late: () => new TooSlow(`It could not be drawn in ${DIAGRAM_LIMITS.drawMs / 1_000} seconds.`),
    });
    return readDrawing(drawn);
  }

  async #open(abortSignal: AbortSignal): Promise<EndableWorker<Drawer>> {
    const response = await fetch(DIAGRAM_SCRIPT, { signal: abortSignal });
    if (!response.ok) throw new Error(`${DIAGRAM_SCRIPT}: HTTP ${response.status}`);
    const script = await response.text();
    return this.#hosts.open(async (host) => {
      const worker = new EndableWorker<Drawer>({
        start: () => new DiagramFrame(host, script),
        failure: () =>
          new TooSlow('The browser ended the frame that drew it, most likely because it used too much memory.'),
      });
      await worker.run((drawer) => drawer.ready(), {
        timeoutMs: FRAME_START_TIMEOUT_MS,
        late: () => new FrameNotStarted('The frame did not respond.'),
      });
      return worker;
    });
  }
}

/** Checks whether a diagram can be drawn in a moment: it is short, and has nothing that multiplies. */
const isSmall = ({ source }: DiagramRequest): boolean =>
  source.length <= DIAGRAM_LIMITS.smallMax && !/<(?:use|filter|pattern|mask|!ENTITY)\b/i.test(source);
