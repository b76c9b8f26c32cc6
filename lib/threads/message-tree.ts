import type { Message } from '#lib/messages/message.ts';
import { missing } from '#lib/messages/readable.ts';

/** A message, and the id of the message that it follows; null at the root of a branch. */
export interface MessageNode {
  message: Message;
  parentId: string | null;
}

/**
 * The nodes of a thread, with an empty stand-in for each message that is missing although others follow it or the thread
 * ends with it. A stand-in goes below the message that was stored before it, where it most likely was.
 */
export function withMissing(nodes: readonly MessageNode[], headId: string | null): MessageNode[] {
  const ids = new Set(nodes.map(({ message }) => message.id));
  const all: MessageNode[] = [];
  const standIn = (id: string, role: Message['role'], createdAt: number) => {
    if (ids.has(id)) return;
    ids.add(id);
    all.push({ message: missing(id, role, createdAt), parentId: all.at(-1)?.message.id ?? null });
  };
  for (const node of nodes) {
    const { role, createdAt } = node.message;
    if (node.parentId !== null) standIn(node.parentId, role === 'user' ? 'assistant' : 'user', createdAt);
    all.push(node);
  }
  if (headId !== null) standIn(headId, 'assistant', nodes.at(-1)?.message.createdAt ?? 0);
  return all;
}

const NO_IDS: readonly string[] = [];

/** The messages of a thread. Editing or regenerating adds a sibling; nothing is ever removed. Immutable. */
export class MessageTree {
  #nodes = new Map<string, MessageNode>();
  /** The ids of a message's successors, by its id; null for the first messages. Lists keep their identity until they change. */
  #children = new Map<string | null, readonly string[]>();

  /** `nodes` in the order in which they were created, which is the order of siblings. */
  constructor(nodes: Iterable<MessageNode>) {
    const children = new Map<string | null, string[]>();
    for (const node of nodes) {
      if (!this.#nodes.has(node.message.id)) {
        const siblings = children.get(node.parentId);
        if (siblings === undefined) children.set(node.parentId, [node.message.id]);
        else siblings.push(node.message.id);
      }
      this.#nodes.set(node.message.id, node);
    }
    this.#children = children;
  }

  get(id: string): MessageNode | undefined {
    return this.#nodes.get(id);
  }

  nodes(): MessageNode[] {
    return [...this.#nodes.values()];
  }

  /** The tree with a new message, or with a new state of a message. */
  with(node: MessageNode): MessageTree {
    const { message, parentId } = node;
    const tree = new MessageTree([]);
    tree.#nodes = new Map(this.#nodes).set(message.id, node);
    tree.#children = this.#children;
    if (!this.#nodes.has(message.id))
      tree.#children = new Map(this.#children).set(parentId, [...(this.#children.get(parentId) ?? []), message.id]);
    return tree;
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

  /** The ids of a message and its alternatives, in the order in which they were created; empty for an unknown id. */
  siblings(id: string): readonly string[] {
    const node = this.#nodes.get(id);
    return node === undefined ? NO_IDS : (this.#children.get(node.parentId) ?? NO_IDS);
  }

  /**
   * The id of the last message of the branch to open when switching to a message. Below that message, the branch follows
   * `chosen` (by a message's id, the id of the successor that the user opened last), otherwise the newest successor.
   */
  leafOf(id: string, chosen: Readonly<Record<string, string>>): string {
    let leaf = id;
    for (const seen = new Set([id]); ; seen.add(leaf)) {
      const children = this.#children.get(leaf) ?? NO_IDS;
      const preferred = Object.hasOwn(chosen, leaf) ? chosen[leaf] : undefined;
      const next = preferred !== undefined && children.includes(preferred) ? preferred : children.at(-1);
      if (next === undefined || seen.has(next)) return leaf;
      leaf = next;
    }
  }

  /**
   * A copy of `chosen` that leads to `headId`: for each message of that branch with several successors, it has the one on the
   * branch.
   */
  choose(headId: string | null, chosen: Readonly<Record<string, string>>): Record<string, string> {
    const next = { ...chosen };
    for (const { id } of this.branch(headId)) {
      const parentId = this.#nodes.get(id)?.parentId ?? null;
      if (parentId !== null && this.siblings(id).length > 1) next[parentId] = id;
    }
    return next;
  }
}
