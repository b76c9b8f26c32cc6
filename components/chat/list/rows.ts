/** The id of the message that a node in the list belongs to. */
export function messageIdAt(node: Node | null): string | undefined {
  const element = node instanceof Element ? node : node?.parentElement;
  return element?.closest<HTMLElement>('[data-message-id]')?.dataset.messageId;
}
