import type { apiTexts } from './api-texts.ts';
import type { changeTexts } from './change-texts.ts';
import type { commandTexts } from './command-texts.ts';
import type { compactionTexts } from './compaction-texts.ts';
import type { editorTexts } from './editor-texts.ts';
import type { en } from './en.ts';
import type { findTexts } from './find-texts.ts';
import type { inspectorTexts } from './inspector-texts.ts';
import type { LaterTexts } from './later-texts.ts';
import type { markdownTexts } from './markdown-texts.ts';
import type { modelTexts } from './model-texts.ts';
import type { noticeTexts } from './notice-texts.ts';
import type { previewTexts } from './preview-texts.ts';
import type { projectTexts } from './project-texts.ts';
import type { serverTexts } from './server-texts.ts';
import type { settingsTexts } from './settings-texts.ts';
import type { threadTexts } from './thread-texts.ts';
import type { timelineTexts } from './timeline-texts.ts';
import type { toolTexts } from './tool-texts.ts';

/**
 * The texts of the page in one language. The optional ones belong to views that are loaded later: in English, they are
 * absent, because each such view loads its own; other languages have all of them.
 */
export type Messages = typeof en & {
  changes?: typeof changeTexts;
  commands?: typeof commandTexts;
  compaction?: typeof compactionTexts;
  editorView?: typeof editorTexts;
  models?: typeof modelTexts;
  find?: typeof findTexts;
  inspector?: typeof inspectorTexts;
  markdown?: typeof markdownTexts;
  notices?: typeof noticeTexts;
  preview?: typeof previewTexts;
  project?: typeof projectTexts;
  settingsDialog?: typeof settingsTexts;
  threadList?: typeof threadTexts;
  timeline?: typeof timelineTexts;
  toolPanel?: typeof toolTexts;
  toolServers?: typeof serverTexts;
  httpApis?: typeof apiTexts;
};

/** The texts of the page, and those of most views that are loaded later (`LaterTexts`). */
export type AllMessages = Messages & LaterTexts;

/** All texts of a language. */
export type Catalog = Required<Messages> & LaterTexts;
