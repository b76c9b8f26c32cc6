/** The id of the message that a node in the list belongs to; undefined if it belongs to none. */
export function messageIdAt(node: Node | null): string | undefined {
  const element = node instanceof Element ? node : node?.parentElement;
  return element?.closest<HTMLElement>('[data-message-id]')?.dataset.messageId;
}

/** The row of a message; null while it is not in the document. */
export const rowOf = (scroller: HTMLElement, messageId: string): HTMLElement | null =>
  scroller.querySelector<HTMLElement>(`[data-message-id="${CSS.escape(messageId)}"]`);
