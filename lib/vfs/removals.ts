import type { NodeChanges, NodeId, NodeState, RemovedNode } from './node-tree.ts';
import type { LogEntry } from './workspace-storage.ts';

/** What a commit removed, all of which is to come back as it was. */
export interface Removal {
  sequence: LogEntry['sequence'];
  removed: readonly RemovedNode[];
}

/** The nodes that changes of the past removed, as they were before. */
export function removedIn(changes: LogEntry['changes']): RemovedNode[] {
  return changes.filter((change): change is RemovedNode => change.before !== null && change.after === null);
}

/** Changes, and with them what comes back and has no change of its own. */
export function withReturned(named: NodeChanges, removals: Iterable<readonly RemovedNode[]>): NodeChanges {
  const all = new Map<NodeId, NodeState | null>(named);
  for (const removed of removals) for (const { id, before } of removed) if (!named.has(id)) all.set(id, before);
  return all;
}
