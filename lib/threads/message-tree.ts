import type { Message } from '#lib/messages/message.ts';

/** A message and the one it follows; null at the root of a branch. */
export interface MessageNode {
  message: Message;
  parentId: string | null;
}

/** The messages of a thread. Editing or regenerating adds a sibling; nothing is ever removed. Immutable. */
export class MessageTree {
  #nodes: ReadonlyMap<string, MessageNode>;
  #children: ReadonlyMap<string | null, readonly string[]>;

  /** `nodes` in the order in which they were created, which is the order of siblings. */
  constructor(nodes: Iterable<MessageNode>) {
    const byId = new Map<string, MessageNode>();
    const children = new Map<string | null, string[]>();
    for (const node of nodes) {
      if (!byId.has(node.message.id)) {
        const siblings = children.get(node.parentId);
        if (siblings === undefined) children.set(node.parentId, [node.message.id]);
        else siblings.push(node.message.id);
      }
      byId.set(node.message.id, node);
    }
    this.#nodes = byId;
    this.#children = children;
  }

  get(id: string): MessageNode | undefined {
    return this.#nodes.get(id);
  }

  nodes(): MessageNode[] {
    return [...this.#nodes.values()];
  }

  with(node: MessageNode): MessageTree {
    return new MessageTree([...this.#nodes.values(), node]);
  }

  /** The messages from the root down to `headId`; empty if there is no such message. */
  branch(headId: string | null): Message[] {
    const branch: Message[] = [];
    const seen = new Set<string>();
    for (let id = headId; id !== null && !seen.has(id); ) {
      seen.add(id);
      const node = this.#nodes.get(id);
      if (node === undefined) break;
      branch.push(node.message);
      id = node.parentId;
    }
    return branch.reverse();
  }

  /** The message and its alternatives, in the order in which they were created. */
  siblings(id: string): readonly string[] {
    const node = this.#nodes.get(id);
    return node === undefined ? [] : (this.#children.get(node.parentId) ?? []);
  }

  /** The leaf to open when switching to a message: follows `chosen` where the user has been, otherwise the newest. */
  leafOf(id: string, chosen: Readonly<Record<string, string>>): string {
    let leaf = id;
    for (const seen = new Set([id]); ; seen.add(leaf)) {
      const children = this.#children.get(leaf) ?? [];
      const preferred = Object.hasOwn(chosen, leaf) ? chosen[leaf] : undefined;
      const next = preferred !== undefined && children.includes(preferred) ? preferred : children.at(-1);
      if (next === undefined || seen.has(next)) return leaf;
      leaf = next;
    }
  }

  /** `chosen` updated with the branch that ends at `headId`, wherever there are alternatives. */
  choose(headId: string | null, chosen: Readonly<Record<string, string>>): Record<string, string> {
    const next = { ...chosen };
    for (const { id } of this.branch(headId)) {
      const parentId = this.#nodes.get(id)?.parentId ?? null;
      if (parentId !== null && this.siblings(id).length > 1) next[parentId] = id;
    }
    return next;
  }
}
