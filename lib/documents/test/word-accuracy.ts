import { distance } from 'fastest-levenshtein';

/** The words of a text, without punctuation and without the marks of Markdown. */
export const wordsOf = (text: string): string[] => text.normalize('NFKC').match(/[\p{L}\p{N}]+/gu) ?? [];

/** The share of a reference's words that a text has in the right order: 1 − edit distance of words ÷ words of the reference. */
export function wordAccuracy(text: string, reference: string): number {
  const letters = new Map<string, string>();
  // One letter for each word, so that a distance of letters is a distance of words.
  const lettersOf = (words: readonly string[]): string =>
    words
      .map((word) => {
        const letter = letters.get(word) ?? String.fromCharCode(letters.size + 1);
        letters.set(word, letter);
        return letter;
      })
      .join('');
  const expected = wordsOf(reference);
  return 1 - distance(lettersOf(wordsOf(text)), lettersOf(expected)) / expected.length;
}
