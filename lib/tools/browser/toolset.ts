import type { Fragment } from '../catalogue/catalogue.ts';

/**
 * The section of the system prompt for tools that run in the user’s browser: it tells the model that all of its tools run
 * there, and to compute with `browser_js_eval`. It says nothing about the tools of the preview, whose descriptions are enough.
 */
export const browserFragment: Fragment = {
  toolset: 'browser',
  title: 'Browser Execution',
  sections: [
    {
      text: 'Your tools run in the user’s own browser: you write the call, and the browser runs it and returns the result to you.',
      compact: 'Your tools run in the user’s browser, which returns each result to you.',
    },
    {
      needs: ['browser_js_eval'],
      text:
        'Compute with `browser_js_eval` instead of estimating: use it for arithmetic, dates, text processing and data. ' +
        'Never state a computed value that no tool result has shown. If a call fails, read the error, fix the code and call again.',
      compact:
        'Compute with `browser_js_eval`, and only compute: files have tools of their own. Never guess a value. If a call fails, fix it and call again.',
    },
  ],
};

/**
 * The section of the system prompt about running JavaScript in a process, as on the command line: that of `browserFragment`,
 * without its part about the user's browser.
 */
export const processFragment: Fragment = {
  ...browserFragment,
  title: 'Code Execution',
  sections: browserFragment.sections.slice(1),
};
