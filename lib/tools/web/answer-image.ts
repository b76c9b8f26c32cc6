/** An image; or its address on another host; or the reason why it cannot be shown. */
export type AnswerImage =
  | { type: 'image'; blob: Blob }
  | { type: 'moved'; url: string }
  | { type: 'failed'; reason: AnswerImageProblem };

/** `status`: the server's answer. `message`: a sentence. */
export type AnswerImageProblem = 'no-image' | 'too-large' | { status: number } | { message: string };
