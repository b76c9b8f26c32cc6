import { count } from './en.ts';

/** The texts of the thread list’s menus and dialogs in English. They come with these views and not with the page. */
export const threadTexts = {
  newTemporary: 'New temporary thread',
  newFolder: 'New folder…',
  pin: 'Pin',
  unpin: 'Unpin',
  move: 'Move to folder…',
  archive: 'Archive',
  archived: (title: string) => `Archived “${title}”.`,
  archivedMany: (n: number) => `Archived ${n} threads.`,
  unarchive: 'Move out of archive',
  export: 'Export',
  openInTab: 'Open in new tab',
  select: 'Select',
  deleteTitle: (title: string) => `Delete “${title}”?`,
  deleteDetail: (files: number) =>
    `Its workspace has ${count(files, 'file', 'files')} that no other thread uses. You can keep the files for other threads, or delete them along with their history.`,
  keepFiles: 'Delete thread only',
  deleteFiles: 'Delete thread and files',
  deleteManyTitle: (n: number) => `Delete ${n} threads?`,
  deleteManyDetail: (workspaces: number) =>
    `No other threads use their ${count(workspaces, 'workspace', 'workspaces')}. You can keep the files for other threads, or delete them along with their history.`,
  keepManyFiles: 'Delete threads only',
  deleteManyFiles: 'Delete threads and files',
  moveTitle: (title: string) => `Move “${title}”`,
  moveManyTitle: (n: number) => `Move ${n} threads`,
  noFolder: 'No folder',
  newFolderTitle: 'New folder',
  folderName: 'Folder name',
  createFolder: 'Create folder',
  createAndMove: 'Create and move',
  deleteFolder: 'Delete folder',
  deleteFolderOnly: 'Delete folder, keep threads',
  selected: (n: number) => `${n} selected`,
  selection: 'Selected threads',
  exportFailed: (reason: string) => `Export failed: ${reason}`,
};
