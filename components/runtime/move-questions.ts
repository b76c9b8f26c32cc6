import { createStore, type StoreApi } from 'zustand/vanilla';
import type { MoveAnswer, MoveQuestion } from '#lib/threads/branch-files.ts';
import type { Version } from '#lib/vfs/file-system.ts';
import type { OpenedWorkspace } from './opened-workspace.ts';

interface Asked {
  question: MoveQuestion;
  answer(answer: MoveAnswer): void;
}

/** What has become of the files: just brought back, as they were already, or left because nobody knows how they were. */
type Moved = { type: 'moved'; undo(): Promise<void> } | { type: 'same' } | { type: 'unknown' };

interface MoveState {
  asked: Asked | undefined;
  moved: Moved | undefined;
}

/** What the person is asked before files move, one question at a time, and is told after it. */
export class MoveQuestions {
  readonly state: StoreApi<MoveState> = createStore<MoveState>(() => ({ asked: undefined, moved: undefined }));

  ask(question: MoveQuestion): Promise<MoveAnswer> {
    this.state.getState().asked?.answer('cancel');
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

  /** Says that the files were brought back, and offers to undo that. */
  showMoved({ history, files, fileSystem }: OpenedWorkspace, before: Version): void {
    const undo = async () => {
      await files.record();
      // Its own commit ends the notice; so does an edit that was just saved, which then stays.
      if (this.state.getState().moved === moved) await files.move(before);
    };
    const moved: Moved = history.sequence === before ? { type: 'same' } : { type: 'moved', undo };
    this.hideMoved();
    this.state.setState({ moved });
    // What comes after it would be taken away with it.
    this.#unwatch = fileSystem.watch(() => this.hideMoved());
  }

  /** Says that the files stay as they are, because nobody knows how they were. */
  showUnknown(): void {
    this.hideMoved();
    this.state.setState({ moved: { type: 'unknown' } });
  }

  hideMoved(): void {
    this.#unwatch();
    this.#unwatch = () => {};
    this.state.setState({ moved: undefined });
  }
}
