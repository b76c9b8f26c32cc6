/** Thrown for an OpenAPI document, or an operation of one, that cannot be used. The message is for people. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}
