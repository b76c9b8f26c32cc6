import type { DiagramProblem } from '#lib/sandbox/diagrams/drawing.ts';
import { DIAGRAM_LIMITS } from '#lib/sandbox/diagrams/limits.ts';
import type { AnswerImageProblem } from '#lib/tools/web/answer-image.ts';
import { ANSWER_IMAGE_LIMITS } from '#lib/tools/web/limits.ts';
import { count } from './en.ts';

/**
 * The texts in English around what answers contain, such as code, tables, diagrams, and images. They are loaded with the
 * views that show them, not with the page.
 */
export const markdownTexts = {
  alerts: { note: 'Note', tip: 'Tip', important: 'Important', warning: 'Warning', caution: 'Caution' },
  outline: 'Outline',
  copyTable: 'Copy table',
  tableActions: 'More for this table',
  sortColumn: 'Sort by this column',
  copyCsv: 'Copy as CSV',
  copyMarkdown: 'Copy as Markdown',
  codeActions: 'More for this code',
  wrapLines: 'Wrap lines',
  unwrapLines: 'Don’t wrap lines',
  downloadCode: 'Download',
  saveCode: 'Save to workspace…',
  saveCodeTitle: 'Save code to the workspace',
  runCode: 'Run',
  stopCode: 'Stop',
  previewCode: 'Show in preview',
  output: 'Output',
  runStates: { running: 'Running…', done: 'Done.', failed: 'Failed.', stopped: 'Stopped.' },
  noOutput: 'Nothing was printed, and there’s no value.',
  closeOutput: 'Close output',
  earlierLines: (n: number) => `${count(n, 'earlier line is', 'earlier lines are')} in the console.`,
  formulaMistake: (reason: string) => `This formula can’t be drawn: ${reason}`,
  formulaTooComplex: 'This formula can’t be drawn: It’s too complex.',
  /** The summary of details that have none. */
  details: 'Details',
  diagram: {
    name: 'Diagram',
    code: 'Show code',
    picture: 'Show diagram',
    enlarge: 'Enlarge',
    actions: 'More for this diagram',
    downloadSvg: 'Download as SVG',
    downloadPng: 'Download as PNG',
    details: 'Details',
    retry: 'Retry',
    problems: {
      mistake: (line: number | undefined) =>
        line === undefined
          ? 'This diagram can’t be drawn because of a mistake in its code.'
          : `This diagram can’t be drawn because of a mistake in line ${line}:`,
      'too-long': () =>
        `Diagrams with more than ${DIAGRAM_LIMITS.sourceMax.toLocaleString('en')} characters of code aren’t drawn.`,
      'too-slow': () => 'Drawing this diagram takes too long, so its code is shown.',
      'too-large': () => 'This diagram is too large to be drawn, so its code is shown.',
      'not-started': () => 'Diagrams can’t be drawn right now.',
    } satisfies Record<DiagramProblem['code'], (line: number | undefined) => string>,
  },
  allRows: (n: number) => `Show all ${count(n, 'row', 'rows')}`,
  allItems: (n: number) => `Show all ${count(n, 'item', 'items')}`,
  allCharacters: (n: number) => `Show all ${count(n, 'character', 'characters')}`,
  loadImage: 'Load image',
  askImages: (host: string, isOwnNetwork: boolean) =>
    `Load images from ${host}${isOwnNetwork ? ' (on your network)' : ''}?`,
  askImagesHelp: 'The model wrote this address. Loading it could reveal contents of this thread to the site.',
  loadOnce: 'Load once',
  loadInThread: 'Load in this thread',
  alwaysLoad: 'Always load',
  imageFailed: (problem: AnswerImageProblem) => `Couldn’t load the image: ${imageProblem(problem)}`,
};

function imageProblem(problem: AnswerImageProblem): string {
  if (problem === 'no-image') return 'there’s no image at this address.';
  if (problem === 'too-large') return `it’s larger than ${ANSWER_IMAGE_LIMITS.bytes / 1_000_000} MB.`;
  if (problem === 'cut') return 'only a part of it arrived.';
  if (problem === 'redirects') return 'it redirects too many times.';
  return 'status' in problem ? `the site returned status ${problem.status}.` : problem.message;
}
