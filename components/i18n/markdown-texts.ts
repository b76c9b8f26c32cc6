import { count } from './en.ts';

/** The texts of long answers in English. They come with the view that shows them and not with the page. */
export const markdownTexts = {
  allRows: (n: number) => `Show all ${count(n, 'row', 'rows')}`,
  allItems: (n: number) => `Show all ${count(n, 'item', 'items')}`,
  allCharacters: (n: number) => `Show all ${count(n, 'character', 'characters')}`,
};
