/**
 * The texts in English of the find bar, and of the search for messages in the list of threads. They are loaded with these
 * views, not with the page.
 */
export const findTexts = {
  title: 'Find in thread',
  nothing: 'No results',
  position: (n: number, of: number, isLimit: boolean) =>
    `${n === 0 ? '' : `${n.toLocaleString('en')} of `}${of.toLocaleString('en')}${isLimit ? '+' : ''}`,
  previous: 'Previous match',
  next: 'Next match',
  inMessages: 'In messages',
  searching: 'Searching…',
  more: (n: number) => `${n.toLocaleString('en')} more ${n === 1 ? 'message' : 'messages'}`,
};
