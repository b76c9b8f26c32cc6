import type { EditorTabs, EditorTabsState, FilePlace, OpenFile } from '#studio/editing/editor-tabs.ts';
import type { UnsavedEdits } from '#studio/editing/unsaved-edits.ts';
import type { OpenedWorkspace } from '#studio/opened-workspace.ts';
import { Document } from './document.ts';
import { monaco } from './monaco.ts';

/** The editor's tabs, and the store of unsaved edits. */
interface Editing {
  tabs: EditorTabs;
  edits: UnsavedEdits;
}

const all = new WeakMap<EditorTabs, Documents>();

/**
 * Returns the `Documents`, the files that are open in the editor, of a studio's tabs. Creates them on first use, because the
 * editor's code is loaded later than the studio.
 */
export function documentsOf({ tabs, edits }: Editing): Documents {
  const known = all.get(tabs) ?? new Documents({ tabs, edits });
  all.set(tabs, known);
  return known;
}

/** The open documents. A document lives as long as its tab is shown, or it has edits that wait for the user. */
class Documents {
  readonly #editing: Editing;
  readonly #open = new Map<string, Document>();
  /** Documents whose tabs were closed and that are being saved. If one is opened again before that is done, it stays open. */
  readonly #closing = new Set<Document>();

  constructor(editing: Editing) {
    const { tabs, edits } = editing;
    const { closed: signal } = edits;
    this.#editing = editing;
    const unsubscribe = tabs.state.subscribe((state) => this.#closeUnwanted(state));
    // Nothing is lost if the page is closed between two saves: the next page restores the edits.
    const keepUnsaved = () => edits.keep([...this.#open.values()].flatMap((open) => open.unsavedEdit() ?? []));
    addEventListener('pagehide', keepUnsaved, { signal });
    const saveIfHidden = () => {
      if (document.visibilityState === 'hidden') for (const open of this.#open.values()) void open.save();
    };
    addEventListener('visibilitychange', saveIfHidden, { signal });
    // Opens a definition in another file as a tab.
    const opener = monaco.editor.registerEditorOpener({
      openCodeEditor(_source, resource, place) {
        if (resource.scheme !== 'file' || resource.authority !== tabs.state.getState().workspaceId) return false;
        tabs.open(resource.path, placeOf(place));
        return true;
      },
    });
    signal.addEventListener('abort', () => {
      unsubscribe();
      opener.dispose();
      for (const open of this.#open.values()) open.close();
    });
  }

  /** The document of an open file, created on first use. */
  get(workspace: OpenedWorkspace, path: string): Document {
    const key = keyOf(workspace.id, path);
    const known = this.#open.get(key);
    if (known !== undefined) {
      this.#closing.delete(known);
      return known;
    }
    const opened = new Document(workspace, path, this.#editing);
    this.#open.set(key, opened);
    return opened;
  }

  #closeUnwanted({ files, workspaceId, hidden }: EditorTabsState): void {
    const kept = new Set<string>();
    const keep = (id: string, wanted: readonly OpenFile[]) => {
      for (const { view, path } of wanted) if (view.type === 'file') kept.add(keyOf(id, path));
    };
    if (workspaceId !== undefined) keep(workspaceId, files);
    for (const [id, tabs] of Object.entries(hidden))
      keep(
        id,
        tabs.files.filter(({ isStuck }) => isStuck),
      );
    for (const [key, open] of this.#open) {
      if (kept.has(key)) this.#closing.delete(open);
      else if (!this.#closing.has(open)) {
        this.#closing.add(open);
        void this.#end(key, open);
      }
    }
  }

  async #end(key: string, open: Document): Promise<void> {
    await open.finish();
    if (!this.#closing.delete(open)) return;
    this.#open.delete(key);
    open.close();
  }
}

const keyOf = (workspaceId: string, path: string): string => `${workspaceId}\n${path}`;

function placeOf(place: monaco.IRange | monaco.IPosition | undefined): FilePlace | undefined {
  if (place === undefined) return undefined;
  if ('lineNumber' in place) return { line: place.lineNumber, column: place.column };
  return { line: place.startLineNumber, column: place.startColumn };
}
