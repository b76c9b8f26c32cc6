/** Thrown for a document that cannot be read. The message is the reason and what can be done, in sentences. */
export class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument';
}
