/** An image; or its address on another host; or the reason why it cannot be shown. */
export type AnswerImage =
  | { type: 'image'; blob: Blob }
  | { type: 'moved'; url: string }
  | { type: 'failed'; reason: AnswerImageProblem };

/** `cut`: only a part arrived. `redirects`: there are too many. `status`: the server's answer. `message`: a sentence. */
export type AnswerImageProblem =
  | 'no-image'
  | 'too-large'
  | 'cut'
  | 'redirects'
  | { status: number }
  | { message: string };
