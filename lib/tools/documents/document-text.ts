import type { DocumentPart } from '../capabilities/documents.ts';

/**
 * Joins the parts of a document to one text, each below its label as a heading. A part with the label `Text`, the only one
 * of a document without parts, has no heading.
 */
export const textOfDocument = (parts: readonly DocumentPart[]): string =>
  parts.map(({ label, text }) => (label === 'Text' ? text : `## ${label}\n\n${text}`)).join('\n\n');
