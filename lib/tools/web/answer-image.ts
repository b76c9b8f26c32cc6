/** An image of another site for an answer: the image, the address on another host to which it has moved, or why it failed. */
export type AnswerImage =
  | { type: 'image'; blob: Blob }
  | { type: 'moved'; url: string }
  | { type: 'failed'; reason: AnswerImageProblem };

/** The problem with an image. `cut`: only a part arrived. `redirects`: too many. `status`: of HTTP. `message`: a sentence. */
export type AnswerImageProblem =
  | 'no-image'
  | 'too-large'
  | 'cut'
  | 'redirects'
  | { status: number }
  | { message: string };
