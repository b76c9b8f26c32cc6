import type { DirectoryEntry } from './file-system.ts';
import { ColumnRows, type StoredColumns } from './node-columns.ts';
import { listChildren, type NodeId, type NodeState, ROOT, ROOT_ID, type TreeView } from './node-tree.ts';

const NO_ROWS: readonly number[] = [];

/**
 * A read-only tree of files and folders whose nodes are stored in columns: a list for each property of the nodes. The object
 * for a node is created only when it is requested.
 */
export class ColumnTree implements TreeView {
  readonly #rows: ColumnRows;
  readonly #rowOf = new Map<NodeId, number>();
  readonly #rowsBelow = new Map<NodeId, number[]>();
  #children = new Map<NodeId, ReadonlyMap<string, NodeId>>();

  constructor(columns: StoredColumns) {
    this.#rows = new ColumnRows(columns);
    for (let row = 0; row < this.#rows.count; row++) {
      const parent = this.#rows.parent(row);
      this.#rowOf.set(this.#rows.id(row), row);
      const below = this.#rowsBelow.get(parent);
      if (below === undefined) this.#rowsBelow.set(parent, [row]);
      else below.push(row);
    }
  }

  node(id: NodeId): NodeState | undefined {
    const row = this.#rowOf.get(id);
    if (row !== undefined) return this.#rows.state(row);
    return id === ROOT_ID ? ROOT : undefined;
  }

  child(parent: NodeId, name: string): NodeId | undefined {
    return this.children(parent).get(name);
  }

  children(parent: NodeId): ReadonlyMap<string, NodeId> {
    let children = this.#children.get(parent);
    if (children === undefined) {
      const rows = this.#rowsBelow.get(parent) ?? NO_ROWS;
      children = new Map(rows.map((row) => [this.#rows.name(row), this.#rows.id(row)]));
      this.#children.set(parent, children);
    }
    return children;
  }

  entries(parent: NodeId): readonly DirectoryEntry[] {
    return listChildren(this, parent);
  }
}
