import type { FrameMessage, PageMessage } from './protocol.ts';

/**
 * The reason why a kernel (see `KernelConnection`) ended: its frame navigated to another document, it broke a rule, or the
 * browser or the system ended it (`gone`), for example because it used too much memory.
 */
export type KernelEnd = 'left' | 'broke-rule' | 'gone';

/** The functions that are called for each message of a kernel (see `KernelConnection`), and at its end. */
export interface KernelListener {
  onMessage(message: FrameMessage): void;
  /** Called once when the kernel has ended, with the reason as text. */
  onEnd(reason: string, end: KernelEnd): void;
}

/**
 * The connection of a session to a kernel, the script that runs code in a frame or a process. Nothing that the kernel sends is
 * trusted. Messages to and from a frame's kernel go through a port, one end of a `MessageChannel`.
 */
export interface KernelConnection {
  /** Replaces the listener. */
  listen(listener: KernelListener): void;
  send(message: PageMessage): void;
  /**
   * Prepares for the message that a frame's kernel sends directly to the studio's page, past the port, when an evaluation
   * ends. Must be called before an evaluation is sent.
   */
  expectEvaluation(): void;
  /**
   * Resolves when all messages that the evaluation sent past the port have arrived, so that a forbidden one is blamed on this
   * evaluation and not on the next. Called when the outcome of an evaluation has arrived. A worker or a process cannot send any
   * past the port.
   */
  settled(): Promise<void>;
  /** Ends the kernel immediately, whatever it is doing. The listener is not called. */
  close(): void;
}
