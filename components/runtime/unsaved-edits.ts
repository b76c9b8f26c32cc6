import { createStore } from 'zustand/vanilla';
import { FIRST_WORKSPACE } from '#lib/threads/thread.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { exists } from '#lib/vfs/exists.ts';
import type { FileSystem, Version } from '#lib/vfs/file-system.ts';
import { isWithin } from '#lib/vfs/paths.ts';

/** Text that was typed and not yet in the workspace when its page went away. */
export interface UnsavedEdit {
  workspaceId: string;
  path: string;
  /** The file's version that it was typed upon. */
  version: Version;
  content: string;
}

const KEY = 'roundtrip-studio:unsaved-edits';

/** Edits that a file could not take, because it had changed since, and the file beside it where they are now. */
export interface EditBeside {
  workspaceId: string;
  path: string;
  beside: string;
}

/** Those that the person has not been told of yet. */
export const editsBeside = createStore<{ edits: readonly EditBeside[] }>(() => ({ edits: [] }));

/** Keeps edits at the last moment of a page, which has no time for the database. */
export function keepUnsavedEdits(edits: readonly UnsavedEdit[]): void {
  if (edits.length === 0) return;
  try {
    localStorage.setItem(KEY, JSON.stringify([...storedEdits(), ...edits]));
  } catch {
    // More than the browser takes; what was saved while typing is in the workspace.
  }
}

/** Writes into a workspace what the last page kept for it. What cannot be written now is kept for the next one. */
export async function recoverUnsavedEdits(workspaceId: string, fileSystem: FileSystem): Promise<void> {
  const stored = storedEdits();
  const edits = stored.filter((edit) => edit.workspaceId === workspaceId);
  if (edits.length === 0) return;
  const recovered = new Set<string>();
  for (const edit of edits) {
    const isDone = await recover(fileSystem, edit).then(
      () => true,
      () => false,
    );
    if (isDone) recovered.add(JSON.stringify(edit));
  }
  // Only now: a page that goes away while it writes finds them again.
  const left = storedEdits().filter((edit) => !recovered.has(JSON.stringify(edit)));
  localStorage.removeItem(KEY);
  keepUnsavedEdits(left);
}

/** Where the file has changed since it was typed upon, the edit goes beside it. */
async function recover(fileSystem: FileSystem, { workspaceId, path, version, content }: UnsavedEdit): Promise<void> {
  const bytes = new TextEncoder().encode(content);
  const present = await fileSystem.readFile(path).catch(() => undefined);
  if (present !== undefined && new TextDecoder().decode(present) === content) return;
  const author = { type: 'person' } as const;
  try {
    await fileSystem.transaction(author, async (tx) => tx.writeFile(path, bytes, { ifVersion: version }));
  } catch (error) {
    if (!(error instanceof FileSystemError) || error.code !== 'ESTALE') throw error;
    const beside = await fileSystem.transaction(author, async (tx) => {
      let free = `${path}.unsaved`;
      for (let count = 2; await exists(tx, free); count++) free = `${path}.unsaved-${count}`;
      tx.writeFile(free, bytes);
      return free;
    });
    editsBeside.setState(({ edits }) => ({ edits: [...edits, { workspaceId, path, beside }] }));
  }
}

function storedEdits(): UnsavedEdit[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    // An earlier version knew one workspace, and did not name it.
    return Array.isArray(stored)
      ? stored.map((edit) => ({ workspaceId: FIRST_WORKSPACE, ...edit })).filter(isEdit)
      : [];
  } catch {
    return [];
  }
}

const isEdit = (value: Partial<UnsavedEdit> | null): value is UnsavedEdit =>
  typeof value?.workspaceId === 'string' &&
  typeof value.path === 'string' &&
  typeof value.version === 'number' &&
  typeof value.content === 'string';

interface OpenEdit {
  workspaceId: string;
  path: string;
  save(): Promise<void>;
  /** As `save`; what the file cannot take, because it has changed since, becomes a step of its history. */
  record(): Promise<void>;
}

const openEdits = new Set<OpenEdit>();

/** Names what saves a file that is being edited, until the returned function is called. */
export function registerEdit(edit: OpenEdit): () => void {
  openEdits.add(edit);
  return () => openEdits.delete(edit);
}

/** Whether files of a workspace are being edited. */
export const isEdited = (workspaceId: string): boolean =>
  [...openEdits].some((edit) => edit.workspaceId === workspaceId);

/** Saves what is being edited at a path of a workspace and below it. */
export async function saveUnder(workspaceId: string, path: string): Promise<void> {
  const edits = [...openEdits].filter((edit) => edit.workspaceId === workspaceId && isWithin(edit.path, path));
  await Promise.all(edits.map(({ save }) => save()));
}

/** Records what is being edited in a workspace, so that the history has it whatever becomes of the files. */
export async function recordEdits(workspaceId: string): Promise<void> {
  const edits = [...openEdits].filter((edit) => edit.workspaceId === workspaceId);
  await Promise.all(edits.map(({ record }) => record()));
}
