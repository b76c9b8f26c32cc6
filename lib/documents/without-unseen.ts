import type { DocumentText } from '#lib/tools/capabilities/documents.ts';
import { counted } from '#lib/tools/core/counted.ts';
import { withoutUnseen } from '#lib/tools/web/body-text.ts';

/** Removes invisible characters from the text of a document, and adds a note with their number if there were some. */
export function withoutUnseenCharacters(read: DocumentText): DocumentText {
  let count = 0;
  const seen = (text: string): string => {
    const clean = withoutUnseen(text);
    count += clean.count;
    return clean.text;
  };
  const parts = read.parts.map(({ label, text }) => ({ label: seen(label), text: seen(text) }));
  const notes = read.notes.map(seen);
  return {
    ...read,
    parts,
    notes: count === 0 ? notes : [...notes, `${counted(count, 'invisible character')} left out.`],
  };
}
