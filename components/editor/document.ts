import { createStore, type StoreApi } from 'zustand/vanilla';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { FileSystem, Version } from '#lib/vfs/file-system.ts';
import type { WorkspaceHistory } from '#lib/vfs/history.ts';
import { bytesFromText, type TextForm, UTF8 } from '#lib/vfs/text-form.ts';
import { commonEnding, hasUniformEndings, withEnding, withEndingsOf } from '#lib/workspace/review/line-endings.ts';
import type { EditorTabs } from '#studio/editing/editor-tabs.ts';
import type { UnsavedEdit, UnsavedEdits } from '#studio/editing/unsaved-edits.ts';
import type { OpenedWorkspace } from '#studio/opened-workspace.ts';
import { isHeavy } from './heavy-text.ts';
import { fileUri, monaco } from './monaco.ts';
import { monacoLanguageOf } from './options.ts';
import { decodeText } from './text-content.ts';

/** The time from an edit until the file is saved, in milliseconds. Edits in between are saved together. */
const SAVE_DELAY_MS = 300;

interface DocumentState {
  /**
   * `binary`: the file is not text. `conflict`: it was changed elsewhere while it had unsaved edits here. `gone`: it is no
   * longer in the workspace. `binary-gone`: the same for a binary file, which the editor cannot write again.
   */
  status: 'loading' | 'ready' | 'binary' | 'gone' | 'binary-gone' | 'conflict';
  /** The error with which the last read or save of the file failed; undefined after one that succeeded. */
  problem: Error | undefined;
  /**
   * The text from elsewhere (`theirs`) with its version and encoding, and the text on which it and the edits here are based
   * (`base`); undefined unless there is a conflict.
   */
  conflict: { base: string; theirs: string; version: Version; form: TextForm } | undefined;
}

const documentModels = new WeakSet<monaco.editor.ITextModel>();

/**
 * Checks whether a Monaco model is the one of a `Document`. Monaco also has models of files that the user only peeks at, for
 * instance by "go to definition".
 */
export const isDocumentModel = (model: monaco.editor.ITextModel): boolean => documentModels.has(model);

/**
 * A workspace file in the editor. Edits are saved as they are made. A change by others, such as the model, shows at once; if
 * there are unsaved edits, the user decides which version counts. An old version never overwrites a newer one (rule R19).
 */
export class Document {
  readonly workspaceId: string;
  readonly path: string;
  readonly model: monaco.editor.ITextModel;
  readonly state: StoreApi<DocumentState> = createStore<DocumentState>(() => ({
    status: 'loading',
    problem: undefined,
    conflict: undefined,
  }));
  readonly #fileSystem: FileSystem;
  readonly #edits: UnsavedEdits;
  readonly #tabs: EditorTabs;
  readonly #history: WorkspaceHistory;
  readonly #dispose: (() => void)[] = [];
  /** The file's version at the last read or save; 0 before the first read, and while the file is gone. */
  #version: Version = 0;
  /** The encoding of the file, in which it is saved again. */
  #form: TextForm = UTF8;
  /** The model's text at the last read or save, with uniform line endings. */
  #savedContent = '';
  /** The file's text with its mixed line endings, which the model cannot hold; undefined if they are uniform. */
  #original: string | undefined;
  /** The text that `record` last added to the history, so that it is not added twice. */
  #recorded: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #work = new SerialQueue();
  #applying = false;
  #isHeavy = false;

  constructor(
    { id: workspaceId, fileSystem, history }: OpenedWorkspace,
    path: string,
    { edits, tabs }: { edits: UnsavedEdits; tabs: EditorTabs },
  ) {
    this.workspaceId = workspaceId;
    this.path = path;
    this.#fileSystem = fileSystem;
    this.#history = history;
    this.#edits = edits;
    this.#tabs = tabs;
    const uri = fileUri(workspaceId, path);
    // A file that was only peeked at already has a model.
    this.model = monaco.editor.getModel(uri) ?? monaco.editor.createModel('', undefined, uri);
    documentModels.add(this.model);
    const typing = this.model.onDidChangeContent(() => this.#onEdit());
    const unwatch = fileSystem.watch((changes) => {
      if (changes.some((change) => change.path === path)) void this.#queue(() => this.#pull());
    });
    const edit = { workspaceId, path, save: () => this.save(), record: () => this.record() };
    const unregister = edits.register(edit);
    this.#dispose.push(() => typing.dispose(), unwatch, unregister);
    void this.#queue(() => this.#pull());
  }

  /** Whether the text is so long that it is shown as plain text, without the features that read all of it. */
  get isHeavy(): boolean {
    return this.#isHeavy;
  }

  /** Whether there are edits that are not saved. */
  get isDirty(): boolean {
    if (this.model.isDisposed() || this.state.getState().status === 'loading') return false;
    // A long text is not compared at each key.
    if (this.model.getValueLength() !== this.#savedContent.length) return true;
    return this.model.getValue() !== this.#savedContent;
  }

  /** Returns the edits that would be lost if the page were closed now; undefined if there are none. */
  unsavedEdit(): UnsavedEdit | undefined {
    if (!this.isDirty) return undefined;
    return { workspaceId: this.workspaceId, path: this.path, version: this.#version, content: this.#ownText() };
  }

  /**
   * Saves unsaved edits at once, not after the usual delay. Those in conflict with another change wait for the user's decision.
   * Never rejects: a failure is in `state.problem`.
   */
  save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#queue(() => this.#push());
  }

  /**
   * Saves unsaved edits. If they wait for the user because of a conflict or a deletion, they are not written: the history
   * gets a commit with their text, and one that undoes it.
   */
  async record(): Promise<void> {
    await this.save();
    await this.#queue(async () => {
      const { status } = this.state.getState();
      const content = this.#ownText();
      if (!this.isDirty || (status !== 'conflict' && status !== 'gone') || content === this.#recorded) return;
      // Kept as UTF-8 if the file's encoding lacks a character.
      const bytes = await bytesFromText(content, this.#form).catch(() => new TextEncoder().encode(content));
      await this.#history.note({ type: 'person' }, this.path, bytes);
      this.#recorded = content;
    });
  }

  /** Resolves a conflict: shows and saves `text`. If the file has changed again since, that is a new conflict. */
  resolve(text: string): Promise<void> {
    return this.#queue(async () => {
      const { conflict } = this.state.getState();
      if (conflict === undefined) return;
      this.#show(text);
      this.#savedContent = withEnding(conflict.theirs, this.model.getEOL());
      this.#keepOriginal(conflict.theirs);
      this.#version = conflict.version;
      this.#form = conflict.form;
      this.#setStatus('ready');
      await this.#push();
    });
  }

  /** Writes the text to the workspace again after the file was deleted elsewhere. */
  writeAgain(): Promise<void> {
    return this.#queue(() => this.#write());
  }

  /**
   * Saves unsaved edits before the document is closed. If the file has changed meanwhile, they go to a file beside it. Does
   * nothing if they wait for the user's decision.
   */
  async finish(): Promise<void> {
    if (!this.isDirty || this.state.getState().status !== 'ready') return;
    await this.save();
    const edit = this.unsavedEdit();
    if (edit === undefined) return;
    this.#edits.keep([edit]);
    await this.#edits.recover(this.workspaceId, this.#fileSystem);
  }

  /** Closes the document and disposes of its model. Unsaved edits are dropped. */
  close(): void {
    clearTimeout(this.#timer);
    for (const dispose of this.#dispose) dispose();
    this.model.dispose();
  }

  #onEdit(): void {
    if (this.#applying) return;
    this.#mark();
    if (this.isDirty && this.state.getState().status === 'ready')
      this.#timer ??= setTimeout(() => void this.save(), SAVE_DELAY_MS);
  }

  /**
   * Runs one operation at a time, so that a save and a change from elsewhere never overlap. Never rejects: an error is put
   * into `state.problem`. Skips the operation if the model has been disposed of.
   */
  #queue(work: () => Promise<void>): Promise<void> {
    return this.#work
      .run(() => (this.model.isDisposed() ? undefined : work()))
      .catch((error: unknown) => {
        this.state.setState({ problem: error instanceof Error ? error : new Error(String(error)) });
        this.#mark();
      });
  }

  /** Reads the file again if its version has changed. If it differs from unsaved edits, there is a conflict. */
  async #pull(): Promise<void> {
    let bytes: Uint8Array;
    let version: Version;
    try {
      // In one transaction, so that the bytes belong to the version.
      [version, bytes] = await this.#fileSystem.transaction({ type: 'person' }, async (tx) => [
        (await tx.stat(this.path)).version,
        await tx.readFile(this.path),
      ]);
    } catch (error) {
      if (
        !(error instanceof FileSystemError) ||
        (error.code !== 'ENOENT' && error.code !== 'EISDIR' && error.code !== 'ENOTDIR')
      )
        throw error;
      this.#version = 0;
      this.#setStatus(this.state.getState().status.startsWith('binary') ? 'binary-gone' : 'gone');
      return;
    }
    if (this.model.isDisposed()) return;
    if (version === this.#version && this.state.getState().status !== 'gone') return;
    const read = await decodeText(bytes);
    if (this.model.isDisposed()) return;
    if (read === undefined) return this.#setStatus('binary');
    const { text: content, form } = read;
    if (this.isDirty && withEnding(content, this.model.getEOL()) !== this.model.getValue()) {
      this.#setStatus('conflict', { base: this.#savedContent, theirs: content, version, form });
      return;
    }
    this.#version = version;
    this.#form = form;
    if (this.state.getState().status === 'loading') this.#load(content);
    else this.#show(content);
    this.#savedContent = this.model.getValue();
    this.#keepOriginal(content);
    this.#setStatus('ready');
  }

  /** Saves unsaved edits, except while they wait for the user. */
  async #push(): Promise<void> {
    if (this.isDirty && this.state.getState().status === 'ready') await this.#write();
  }

  /** Writes the text, or reads the file instead if that has changed since it was last read. */
  async #write(): Promise<void> {
    const content = this.model.getValue();
    const text = this.#ownText();
    const ifVersion = this.#version;
    const bytes = await bytesFromText(text, this.#form);
    try {
      // Read in the same transaction, so that it is the version of this write. A later write by others is still to be pulled.
      this.#version = await this.#fileSystem.transaction({ type: 'person', isTyping: true }, async (tx) => {
        tx.writeFile(this.path, bytes, { ifVersion });
        return (await tx.stat(this.path)).version;
      });
    } catch (error) {
      if (error instanceof FileSystemError && error.code === 'ESTALE') return this.#pull();
      throw error;
    }
    this.#savedContent = content;
    this.#keepOriginal(text);
    this.#setStatus('ready');
  }

  #setStatus(status: DocumentState['status'], conflict?: DocumentState['conflict']): void {
    this.state.setState({ status, problem: undefined, conflict });
    this.#mark();
  }

  #mark(): void {
    const { status, problem } = this.state.getState();
    const { isDirty } = this;
    this.#tabs.mark(this.workspaceId, this.path, {
      isDirty,
      isStuck: isDirty && (status !== 'ready' || problem !== undefined),
    });
  }

  /** Sets the model's initial content, without an undo step. */
  #load(content: string): void {
    this.#applying = true;
    this.#chooseLanguage(content);
    this.model.setValue(content);
    this.#keepLineEndings(content);
    // The model was created without content, so its indentation is still the one of the settings.
    const { insertSpaces, tabSize } = this.model.getOptions();
    this.model.detectIndentation(insertSpaces, tabSize);
    this.#applying = false;
  }

  /** Changes the model's text to `content` as one undo step. Only the difference is replaced, so the cursor and folds stay. */
  #show(content: string): void {
    this.#applying = true;
    this.#chooseLanguage(content);
    this.model.pushStackElement();
    this.#keepLineEndings(content);
    this.#replaceDifference(withEnding(content, this.model.getEOL()));
    this.model.pushStackElement();
    this.#applying = false;
  }

  /** Sets the model's language by the file's name, or plain text if the content is too long for more. */
  #chooseLanguage(content: string): void {
    this.#isHeavy = isHeavy(content);
    const language = this.#isHeavy ? 'plaintext' : monacoLanguageOf(this.path);
    if (this.model.getLanguageId() !== language) monaco.editor.setModelLanguage(this.model, language);
  }

  /** The model's text with the file's own line endings, so that unchanged lines keep their bytes when it is saved. */
  #ownText(): string {
    const shown = this.model.getValue();
    return this.#original === undefined ? shown : withEndingsOf(this.#original, shown);
  }

  #keepOriginal(content: string): void {
    this.#original = hasUniformEndings(content) ? undefined : content;
  }

  /** Gives the model the line endings that most lines of `content` have. A new model has the system's. */
  #keepLineEndings(content: string): void {
    const { CRLF, LF } = monaco.editor.EndOfLineSequence;
    this.model.setEOL(commonEnding(content) === '\r\n' ? CRLF : LF);
  }

  #replaceDifference(content: string): void {
    const before = this.model.getValue();
    if (before === content) return;
    let start = 0;
    while (start < before.length && start < content.length && before[start] === content[start]) start++;
    let end = 0;
    while (
      end < before.length - start &&
      end < content.length - start &&
      before[before.length - 1 - end] === content[content.length - 1 - end]
    )
      end++;
    const from = this.model.getPositionAt(start);
    const to = this.model.getPositionAt(before.length - end);
    this.model.pushEditOperations(
      null,
      [{ range: monaco.Range.fromPositions(from, to), text: content.slice(start, content.length - end) }],
      () => null,
    );
  }
}
