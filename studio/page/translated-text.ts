// A browser that translates the page, and some extensions, replace text nodes with elements of their own. React keeps the nodes
// that it made, and fails when it wants to remove one, or writes into one that nobody sees. See facebook/react#11538.

/** Elements that were put in the place of text nodes, by these text nodes. */
const replacements = new WeakMap<Node, ChildNode>();

const isForeign = (node: Node | null | undefined): node is HTMLElement => node?.nodeName === 'FONT';

/** Finds the element in `parent` that replaced one of React's text nodes; undefined if there is none. */
function standIn(parent: Node, node: Node): ChildNode | undefined {
  const other = replacements.get(node);
  return other?.parentNode === parent ? other : undefined;
}

/**
 * Keeps React from failing when the browser's translation, or an extension, replaces text nodes of React. The text that
 * React writes is shown, until it is translated again.
 */
export function surviveTranslation(): void {
  new MutationObserver((records) => {
    for (const { removedNodes, addedNodes, previousSibling, nextSibling } of records)
      for (const removed of removedNodes) {
        if (removed.nodeType !== Node.TEXT_NODE) continue;
        const other = [...addedNodes, previousSibling, nextSibling].find(isForeign);
        if (other !== undefined) replacements.set(removed, other);
      }
  }).observe(document, { childList: true, subtree: true });

  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    if (child.parentNode === this) return removeChild.call(this, child) as T;
    standIn(this, child)?.remove();
    return child;
  };
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    const known = before === null || before.parentNode === this ? before : (standIn(this, before) ?? null);
    return insertBefore.call(this, node, known) as T;
  };
  const value = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue');
  if (value?.set === undefined) return;
  const { set } = value;
  Object.defineProperty(Node.prototype, 'nodeValue', {
    ...value,
    set(this: ChildNode, text: string | null) {
      if (!this.isConnected) replacements.get(this)?.replaceWith(this);
      set.call(this, text);
    },
  });
}
