/** The texts of the preview in English. They are loaded with its views, not with the page. */
export const previewTexts = {
  opening: 'Opening preview…',
  reload: 'Reload',
  page: 'Page',
  noPage: 'No page',
  width: 'Width',
  widths: { pane: 'Full width', phone: 'Phone', tablet: 'Tablet', laptop: 'Laptop' },
  pixels: (width: number) => `${width} pixels`,
  console: 'Page console',
  prompt: 'Run JavaScript in the page',
  nothingPrinted: 'No console output yet.',
  loaded: 'Page loaded.',
  nothingToShow:
    'Nothing to preview yet. The preview shows index.html or any other .html, .md, or .svg file in the workspace. The dist, build, and coverage folders are ignored.',
  window: 'Open in a new window',
  windowFailed: 'This page can’t be shown',
  states: {
    idle: 'Not started',
    building: 'Building…',
    loading: 'Loading…',
    failed: 'Failed',
    ended: 'Stopped',
  },
  built: (ms: number) => `${ms} ms`,
  builtIn: 'Last build time',
  problems: 'Page problems',
  notBuilt: 'The page couldn’t be built',
  errors: (n: number) => `${n} ${n === 1 ? 'error' : 'errors'}`,
  warnings: (n: number) => `${n} ${n === 1 ? 'warning' : 'warnings'}`,
  fix: 'Ask the model to fix it',
  fixMessage: (problems: string) => `The page in the preview has these errors. Please fix them.\n\n${problems}`,
  fixCodeMessage: (problems: string) =>
    `The code of your answer, run as a page of its own, has these errors. Please fix them.\n\n${problems}`,
  codeOfAnswer: 'Code of an answer. It’s not in the workspace.',
  closeCode: 'Back to the workspace',
  round: (round: number, of: number) => `The model is fixing the page: attempt ${round} of ${of}`,
  stop: 'Stop',
  stuck: 'The page isn’t responding. It may be stuck in an infinite loop.',
  end: 'Stop page',
  sharesThread:
    'This browser can’t run the page in its own process, so code that never finishes would freeze the studio.',
};

export type PreviewTexts = typeof previewTexts;
