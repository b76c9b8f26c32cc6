import type { DocumentPart } from '../capabilities/documents.ts';

/** The text of a document's parts, each after its label as a heading; a document of one text has no heading. */
export const textOfDocument = (parts: readonly DocumentPart[]): string =>
  parts.map(({ label, text }) => (label === 'Text' ? text : `## ${label}\n\n${text}`)).join('\n\n');
