import { ToolFailure } from '../core/tool-call.ts';
import type { DocumentProblem } from './unreadable-document.ts';

/** A failure of a call because a document cannot be read. `problem`: the kind of reason, for texts in the person's language. */
export class DocumentFailure extends ToolFailure {
  readonly problem: DocumentProblem;

  constructor(problem: DocumentProblem, message: string) {
    super('failed', message);
    this.problem = problem;
  }
}
