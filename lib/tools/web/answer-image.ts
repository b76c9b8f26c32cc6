/** An image of another site for an answer: the image, the address on another host to which it has moved, or why it failed. */
export type AnswerImage =
  | { type: 'image'; blob: Blob }
  | { type: 'moved'; url: string }
  | { type: 'failed'; reason: AnswerImageProblem };

/** The reason why an image is not shown. `cut`: only a part arrived. `redirects`: there are too many. `status`: the server's answer. `message`: a sentence. */
export type AnswerImageProblem =
  | 'no-image'
  | 'too-large'
  | 'cut'
  | 'redirects'
  | { status: number }
  | { message: string };
