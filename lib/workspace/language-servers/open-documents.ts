import { FileSystemError } from '#lib/vfs/errors.ts';
import type { FileSystemReader } from '#lib/vfs/file-system.ts';
import { isBinary } from '#lib/workspace/search/search.ts';
import { languageIdOf } from './language-ids.ts';
import { CHECKED_FILE_MAX_BYTES, MAX_OPEN_FILES } from './limits.ts';

/** A file that a language server has open, with the text that was sent to it. */
export interface OpenDocument {
  languageId: string;
  version: number;
  text: string;
}

/** Tells a server about its documents. */
interface DocumentListener {
  opened(path: string, document: OpenDocument): void;
  changed(path: string, document: OpenDocument): void;
  closed(path: string): void;
}

/** The files that a language server has open. A listener tells the server when one is opened, changed or closed. */
export class OpenDocuments {
  readonly #files: FileSystemReader;
  readonly #languageIds: Readonly<Record<string, string>> | undefined;
  readonly #listener: DocumentListener;
  /** By path, in the order in which they were last checked. */
  readonly #open = new Map<string, OpenDocument>();
  #lastVersion = 0;

  constructor(
    files: FileSystemReader,
    languageIds: Readonly<Record<string, string>> | undefined,
    listener: DocumentListener,
  ) {
    this.#files = files;
    this.#languageIds = languageIds;
    this.#listener = listener;
  }

  /**
   * Opens files as they are now, and closes other open files that have changed or are too many. `open`: the files of `paths`
   * that are open, without those that are gone, too large or binary. `news`: those of them that are new to the server or have
   * changed.
   */
  async synchronize(paths: readonly string[], signal: AbortSignal): Promise<{ open: string[]; news: Set<string> }> {
    const wanted = new Set(paths);
    for (const [path, { text }] of this.#open)
      if (!wanted.has(path) && (await this.#read(path, signal)) !== text) this.#close(path);
    const open: string[] = [];
    const news = new Set<string>();
    for (const path of wanted) {
      const text = await this.#read(path, signal);
      if (text === undefined) {
        this.#close(path);
        continue;
      }
      open.push(path);
      if (this.#show(path, text)) news.add(path);
    }
    for (const path of this.#open.keys()) {
      if (this.#open.size <= MAX_OPEN_FILES || wanted.has(path)) break;
      this.#close(path);
    }
    return { open, news };
  }

  /** Presents an open document as changed, so that the server checks it again. */
  touch(path: string): void {
    const known = this.#open.get(path);
    if (known !== undefined) this.#change(path, known, known.text);
  }

  /** Opens a document or updates its text, and makes it the last in `#open`. Returns whether the text is new to the server. */
  #show(path: string, text: string): boolean {
    const known = this.#open.get(path);
    this.#open.delete(path);
    if (known === undefined) {
      const document = { languageId: languageIdOf(path, this.#languageIds), version: ++this.#lastVersion, text };
      this.#open.set(path, document);
      this.#listener.opened(path, document);
      return true;
    }
    this.#open.set(path, known);
    if (known.text === text) return false;
    this.#change(path, known, text);
    return true;
  }

  #change(path: string, known: OpenDocument, text: string): void {
    const document = { ...known, version: ++this.#lastVersion, text };
    this.#open.set(path, document);
    this.#listener.changed(path, document);
  }

  #close(path: string): void {
    if (this.#open.delete(path)) this.#listener.closed(path);
  }

  /** A file's text; undefined if it is gone, too large or binary. */
  async #read(path: string, signal: AbortSignal): Promise<string | undefined> {
    signal.throwIfAborted();
    try {
      const bytes = await this.#files.readFile(path, { maxBytes: CHECKED_FILE_MAX_BYTES, isBrief: true });
      return isBinary(bytes) ? undefined : new TextDecoder().decode(bytes);
    } catch (error) {
      if (error instanceof FileSystemError && error.code !== 'EIO') return undefined;
      throw error;
    }
  }
}
