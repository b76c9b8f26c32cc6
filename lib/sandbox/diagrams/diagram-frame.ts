import type { EndableThread } from '#lib/base/endable-worker.ts';
import { CODE_SANDBOX, DIAGRAM_FRAME_PATH } from '../frame-document.ts';
import { addHidden, hiddenFrame } from '../frame-element.ts';
import type { FrameHost } from '../hosts.ts';

/**
 * A hidden frame that runs the script that draws diagrams, with the interface of a worker: it passes messages to the script and
 * back, and can be ended at any time. It reports an `error` event when the browser has ended the frame's process.
 */
export class DiagramFrame implements EndableThread {
  readonly #element: HTMLIFrameElement;
  readonly #port: MessagePort;

  /** `script`: the source of the script that draws. */
  constructor(host: FrameHost, script: string) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#element = hiddenFrame(`${host.origin}${DIAGRAM_FRAME_PATH}`, CODE_SANDBOX);
    this.#element.addEventListener('load', () => this.#element.contentWindow?.postMessage(script, '*', [port2]), {
      once: true,
    });
    addHidden(this.#element);
  }

  start(): void {
    this.#port.start();
  }

  postMessage(message: unknown, transfer: Transferable[] = []): void {
    this.#port.postMessage(message, transfer);
  }

  addEventListener(type: string, listener: EventListenerOrEventListenerObject): void {
    this.#port.addEventListener(eventOf(type), listener);
  }

  removeEventListener(type: string, listener: EventListenerOrEventListenerObject): void {
    this.#port.removeEventListener(eventOf(type), listener);
  }

  terminate(): void {
    this.#port.close();
    this.#element.remove();
  }
}

/** A port closes when the browser ends the frame's process. */
const eventOf = (type: string): string => (type === 'error' ? 'close' : type);
