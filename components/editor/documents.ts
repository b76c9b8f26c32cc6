import type { OpenedWorkspace } from '#components/runtime/opened-workspace.ts';
import { keepUnsavedEdits } from '#components/runtime/unsaved-edits.ts';
import { Document } from './document.ts';
import { type OpenFile, openFiles } from './open-files.ts';

/** Open documents. A document lives as long as its tab is shown, or it has edits that wait for the user. */
const documents = new Map<string, Document>();

/** Documents that are closed but not yet saved. If one is opened again before that, it stays open. */
const closing = new Set<Document>();

const keyOf = (workspaceId: string, path: string): string => `${workspaceId}\n${path}`;

/** Whether a file is open in the editor. */
export const isOpen = (workspaceId: string, path: string): boolean => documents.has(keyOf(workspaceId, path));

/** The document of an open file, created on first use. */
export function documentFor(workspace: OpenedWorkspace, path: string): Document {
  const key = keyOf(workspace.id, path);
  const known = documents.get(key);
  if (known !== undefined) {
    closing.delete(known);
    return known;
  }
  const document = new Document(workspace, path);
  documents.set(key, document);
  return document;
}

openFiles.subscribe(({ files, workspaceId, hidden }) => {
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
  for (const [key, document] of documents) {
    if (kept.has(key)) closing.delete(document);
    else if (!closing.has(document)) {
      closing.add(document);
      void end(key, document);
    }
  }
});

async function end(key: string, document: Document): Promise<void> {
  await document.finish();
  if (!closing.delete(document)) return;
  documents.delete(key);
  document.close();
}

// A page that is closed between two saves loses nothing: the next page restores what was typed.
addEventListener('pagehide', () => {
  keepUnsavedEdits([...documents.values()].flatMap((open) => open.unsavedEdit() ?? []));
});
addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') for (const open of documents.values()) void open.save();
});
