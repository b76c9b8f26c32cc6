import { count } from './en.ts';

/** The texts of the history of files in English. They are loaded with its view, not with the page. */
export const timelineTexts = {
  empty: 'No changes yet.',
  more: 'Show earlier steps',
  moreFiles: (n: number) => `Show ${count(n, 'more file', 'more files')}`,
  forgotten: 'Earlier history was deleted to save space.',
  byPerson: 'You',
  byStudio: 'Studio saved your long messages',
  /** `done`: what it did, as the card of its call says. */
  byModel: (done: string | undefined) =>
    done === undefined ? 'Model' : `Model ${done.charAt(0).toLowerCase()}${done.slice(1)}`,
  byTool: (toolName: string) => `Model used ${toolName}`,
  wentBack: 'Files restored',
  undo: (name: string) => `Undo this step (${name})`,
  restore: (name: string) => `Restore files to their state after this step (${name})`,
  undone: 'Undone. The undo appears as a new step at the top.',
  restored: 'Files restored to their state after that step.',
  changedSince: (paths: string) => `Not undone because it would also undo later changes to ${paths}.`,
  gone: 'The history no longer goes back that far.',
  kinds: { created: 'Created', changed: 'Changed', deleted: 'Deleted' },
};
