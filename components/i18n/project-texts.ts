import { count } from './en.ts';

/** The texts about a project's instructions and skills in English. They come with the views that show them. */
export const projectTexts = {
  notice: (paths: string) =>
    `The model can get instructions from this workspace: ${paths}. Nothing is used until you allow it.`,
  others: (n: number) => count(n, 'other file', 'other files'),
  look: 'Review…',
  ignore: 'Ignore',
  title: 'Instructions in this workspace',
  help: 'The model gets what you allow with each message. You are asked again when a file changes.',
  skillHelp: 'Skill: the model sees what it is for, and reads the rest when it needs it.',
  cut: 'Only the beginning is used, because the file is long.',
  allow: (path: string) => `Allow ${path}`,
  save: 'Save',
  problems: {
    'too-large': 'Not used: the file is larger than 1 MB.',
    'not-text': 'Not used: the file is not UTF-8 text.',
    'long-name': 'Not used: the name of the skill is too long.',
    'no-description': 'Not used: the file doesn’t begin with a description.',
  },
  section: 'Project instructions',
  sectionHelp: 'The studio finds AGENTS.md and skills in .agents/skills, and asks about each version once.',
  further: 'Further files',
  furtherHelp: 'Paths in any workspace, separated by commas, such as /CLAUDE.md.',
  furtherFault: (path: string) => `“${path}” is not a path. Begin it with “/”.`,
  show: 'Review this workspace…',
  none: 'This workspace has no instructions.',
};

export type ProjectTexts = typeof projectTexts;
