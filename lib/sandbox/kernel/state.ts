/** The state that the kernel's modules share: the number of the running evaluation, and whether the window shows a page. */
export const state = {
  /** The evaluation that is running, from 1; 0 between evaluations. */
  run: 0,
  /** Whether the window shows a page, as a preview's does. */
  isPage: false,
};
