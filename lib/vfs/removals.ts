import type { NodeChanges, NodeId, NodeState, RemovedNode } from './node-tree.ts';
import type { LogEntry } from './workspace-storage.ts';

/** The nodes that the past commit `sequence` removed, and all of which a restore now brings back as they were. */
export interface Removal {
  sequence: LogEntry['sequence'];
  removed: readonly RemovedNode[];
}

/** Returns the nodes that the changes of a past commit removed, with their previous states. */
export function removedIn(changes: LogEntry['changes']): RemovedNode[] {
  return changes.filter((change): change is RemovedNode => change.before !== null && change.after === null);
}

/**
 * Returns the changes `named` and, in addition, the restoration of all nodes in `removals` (lists of removed nodes) that
 * `named` does not have.
 */
export function withReturned(named: NodeChanges, removals: Iterable<readonly RemovedNode[]>): NodeChanges {
  const all = new Map<NodeId, NodeState | null>(named);
  for (const removed of removals) for (const { id, before } of removed) if (!named.has(id)) all.set(id, before);
  return all;
}
