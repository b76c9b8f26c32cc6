import type { NodeChanges, NodeId, NodeState, RemovedNode } from './node-tree.ts';
import type { LogEntry } from './workspace-storage.ts';

/** The nodes that the commit `sequence` removed; all of them are to be restored unchanged. */
export interface Removal {
  sequence: LogEntry['sequence'];
  removed: readonly RemovedNode[];
}

/** The nodes that past changes removed, with their previous states. */
export function removedIn(changes: LogEntry['changes']): RemovedNode[] {
  return changes.filter((change): change is RemovedNode => change.before !== null && change.after === null);
}

/** The changes `named`, and the restoration of all removed nodes that are not among them. */
export function withReturned(named: NodeChanges, removals: Iterable<readonly RemovedNode[]>): NodeChanges {
  const all = new Map<NodeId, NodeState | null>(named);
  for (const removed of removals) for (const { id, before } of removed) if (!named.has(id)) all.set(id, before);
  return all;
}
