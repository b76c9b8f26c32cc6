import type { AssistantMessage } from '#lib/messages/message.ts';

/** The least number of headings, and the least length in characters, of an answer that has an outline. */
export const OUTLINE_MIN = { headings: 4, characters: 1_500 };

/** Matches lines that look like headings, with `#` or with a line below. */
const HEADING = /^ {0,3}(?:#{1,6}[ \t]|(?:-{2,}|={2,})[ \t]*$)/gm;

/** Checks, without parsing it, whether an answer may be long enough and have enough headings for an outline. */
export function mayHaveOutline({ parts }: Pick<AssistantMessage, 'parts'>): boolean {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (texts.reduce((sum, text) => sum + text.length, 0) < OUTLINE_MIN.characters) return false;
  return texts.reduce((sum, text) => sum + (text.match(HEADING)?.length ?? 0), 0) >= OUTLINE_MIN.headings;
}
