import { createStore, type StoreApi } from 'zustand/vanilla';
import type { MoveAnswer, MoveQuestion } from '#lib/threads/branch-files.ts';
import type { Version } from '#lib/vfs/file-system.ts';
import type { OpenedWorkspace } from './opened-workspace.ts';

interface Asked {
  question: MoveQuestion;
  answer(answer: MoveAnswer): void;
}

/** The result for the files: restored, already in that state, or left alone as their earlier state is unknown. */
type Moved = { type: 'moved'; undo(): Promise<void> } | { type: 'same' } | { type: 'unknown' };

interface MoveState {
  asked: Asked | undefined;
  moved: Moved | undefined;
}

/**
 * Asks the user before the files of a workspace are put back into their state at another message, one question at a time,
 * and shows the result afterwards.
 */
export class RestoreQuestions {
  readonly state: StoreApi<MoveState> = createStore<MoveState>(() => ({ asked: undefined, moved: undefined }));
  #isClosed = false;

  /** Shows a question, and resolves with the user's answer. A question that is still open is answered with `cancel`. */
  ask(question: MoveQuestion): Promise<MoveAnswer> {
    this.state.getState().asked?.answer('cancel');
    if (this.#isClosed) return Promise.resolve('cancel');
    const { promise, resolve } = Promise.withResolvers<MoveAnswer>();
    const asked: Asked = {
      question,
      answer: (answer) => {
        if (this.state.getState().asked === asked) this.state.setState({ asked: undefined });
        resolve(answer);
      },
    };
    this.state.setState({ asked, moved: undefined });
    return promise;
  }

  #unwatch = () => {};

  /**
   * Shows that the files were restored, and offers to undo it; or that they already had that state. The notice disappears when
   * files change. `before`: the version before the move.
   */
  showMoved({ history, files, fileSystem }: OpenedWorkspace, before: Version): void {
    const undo = async () => {
      await files.record();
      // Its own commit ends the notice. So does the commit of an edit that was just saved; then nothing is undone.
      if (this.state.getState().moved === moved) await files.move(before);
    };
    const moved: Moved = history.sequence === before ? { type: 'same' } : { type: 'moved', undo };
    this.hideMoved();
    this.state.setState({ moved });
    // An undo would also revert any later change, so the notice disappears at the next change.
    this.#unwatch = fileSystem.watch(() => this.hideMoved());
  }

  /** Shows that the files stay as they are because their earlier state is unknown. */
  showUnknown(): void {
    this.hideMoved();
    this.state.setState({ moved: { type: 'unknown' } });
  }

  /** Answers the question that is open, and all later ones, as if the user had cancelled. */
  close(): void {
    this.#isClosed = true;
    this.state.getState().asked?.answer('cancel');
    this.hideMoved();
  }

  hideMoved(): void {
    this.#unwatch();
    this.#unwatch = () => {};
    this.state.setState({ moved: undefined });
  }
}
