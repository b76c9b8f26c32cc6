import type { CallForm, FormAnswer } from '#lib/tools/core/call-form.ts';
import type { ToolCall } from '#lib/tools/core/tool-call.ts';
import { outerCallId } from '#lib/tools/execution/inner-call.ts';
import type { ShownForm, ThreadRecord } from './thread-record.ts';

/**
 * The forms with which a thread's running calls ask the person for something, such as a value that the tool needs. A form lasts
 * as long as its call runs in this page.
 */
export class CallForms {
  readonly #record: ThreadRecord;
  /** The forms that are shown, by the ids of the calls that ask. */
  readonly #asking = new Map<string, { form: ShownForm; resolve(answer: FormAnswer): void }>();

  constructor(record: ThreadRecord) {
    this.#record = record;
  }

  /**
   * Shows a form and resolves with the answer. The form of an inner call is shown at the call that made it. Rejects with
   * the signal's reason if the signal fires first.
   */
  async ask(call: ToolCall, form: CallForm, signal: AbortSignal): Promise<FormAnswer> {
    signal.throwIfAborted();
    const toolCallId = outerCallId(call.toolCallId);
    const { promise, resolve, reject } = Promise.withResolvers<FormAnswer>();
    // It may be rejected before anybody waits for it.
    promise.catch(() => undefined);
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#asking.set(toolCallId, { form: { ...form, id: crypto.randomUUID() }, resolve });
    this.#show(toolCallId);
    try {
      await this.#record.saveActivity('asking');
      return await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#asking.delete(toolCallId);
      this.#show(toolCallId);
      if (!signal.aborted) await this.#record.saveActivity('working');
    }
  }

  /** Passes the person's answer to a call; without effect if the call does not ask anymore. */
  answer(toolCallId: string, answer: FormAnswer): void {
    this.#asking.get(toolCallId)?.resolve(answer);
  }

  #show(toolCallId: string): void {
    const others = this.#record.snapshot.asking.filter((id) => id !== toolCallId);
    this.#record.update({
      forms: new Map([...this.#asking].map(([id, { form }]) => [id, form])),
      asking: this.#asking.has(toolCallId) ? [...others, toolCallId] : others,
    });
  }
}
