/**
 * The outcome of loading an image of another site that an answer shows: the image, the address on another host to which it
 * has moved, or the reason why it failed.
 */
export type AnswerImage =
  | { type: 'image'; blob: Blob }
  | { type: 'moved'; url: string }
  | { type: 'failed'; reason: AnswerImageProblem };

/**
 * The reason why an image could not be loaded. `no-image`: the address does not lead to an image. `cut`: only a part of it
 * arrived. `redirects`: there were too many. `status`: the HTTP status. `message`: a sentence.
 */
export type AnswerImageProblem =
  | 'no-image'
  | 'too-large'
  | 'cut'
  | 'redirects'
  | { status: number }
  | { message: string };
