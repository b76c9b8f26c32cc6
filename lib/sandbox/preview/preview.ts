// More than 400 lines: the one state machine of a preview; building, running and files are apart.

import { messageOf } from '#lib/base/message-of.ts';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import { untilAborted } from '#lib/base/until-aborted.ts';
import { addHidden } from '#lib/sandbox/frame-element.ts';
import type { Sandbox } from '#lib/sandbox/sandbox.ts';
import type { OpenedFrame, SandboxSession } from '#lib/sandbox/sandbox-session.ts';
import type { PageLine, PagePreview, PreviewProblem, PreviewReport } from '#lib/tools/capabilities/preview.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import type { ProtectedPaths } from '#lib/tools/permission/path-rule.ts';
import type { FileChange, FileSystem } from '#lib/vfs/file-system.ts';
import { isWithin, resolvePath } from '#lib/vfs/paths.ts';
import type { BuiltPage } from './built-page.ts';
import type { ColorScheme } from './color-scheme.ts';
import { isWebAddress, needsNoFile } from './compile/addresses.ts';
import { findEntries, WHAT_IS_SHOWN } from './entry-pages.ts';
import { LOADS_MAX, PROBLEMS_MAX, REBUILD_DELAY_MS } from './limits.ts';
import { withImports } from './packages.ts';
import { PageBuilder } from './page-builder.ts';
import { PageFiles } from './page-files.ts';
import { PageGuard } from './page-guard.ts';
import { RunningPage } from './running-page.ts';

/** The state that the page of a preview is in. */
export type PreviewStatus =
  /** No page has been requested yet, or the preview was removed from its element. */
  | 'idle'
  | 'building'
  | 'loading'
  | 'running'
  /** The page could not be built. An earlier build of it stays visible. */
  | 'failed'
  /** The page was stopped, for the reason in `reason`. */
  | 'ended';

/** The state of a preview, for its views. */
export interface PreviewState {
  status: PreviewStatus;
  /** The page that is shown or requested; undefined if there is nothing to show. */
  entry: string | undefined;
  /** The paths of the files that can be chosen as pages (see `findEntries`). */
  entries: readonly string[];
  title: string;
  /** Errors and warnings of the build, and uncaught errors of the page. */
  problems: readonly PreviewProblem[];
  reason?: string | undefined;
  /** The duration of the last build, in milliseconds. */
  buildMs: number;
  /** Whether the page is running but has not responded for a while. */
  isStuck: boolean;
  /** Whether pages can block the studio in this browser. */
  sharesThread: boolean;
}

/** The capabilities that a preview needs. */
interface PreviewOptions {
  fileSystem: FileSystem;
  sandbox: Pick<Sandbox, 'createPage' | 'isApart'>;
}

/**
 * Runs a page of a workspace in an isolated frame, in the element that `attach` names, or hidden while there is none. The page
 * is built from the files, and rebuilt when they change while the preview is visible. Without a page that somebody has chosen,
 * the most likely one is shown.
 */
export class Preview implements PagePreview {
  readonly #options: PreviewOptions;
  readonly #guard: PageGuard;
  readonly #files: PageFiles;
  readonly #builder: PageBuilder;
  readonly #running: RunningPage;
  readonly #listeners = new Set<() => void>();
  readonly #unwatch: () => void;
  #state: PreviewState = {
    status: 'idle',
    entry: undefined,
    entries: [],
    title: '',
    problems: [],
    buildMs: 0,
    isStuck: false,
    sharesThread: false,
  };
  /** The element in which the preview is shown; undefined while it is hidden. */
  #container: HTMLElement | undefined;
  /** Resolves when the preview is attached to an element. */
  #attached = Promise.withResolvers<void>();
  #isVisible = false;
  #isStale = true;
  #hidden: HTMLElement | undefined;
  #buildProblems: readonly PreviewProblem[] = [];
  #pageProblems: readonly PreviewProblem[] = [];
  readonly #queue = new SerialQueue();
  readonly #closing = new AbortController();
  /** Fires when the preview moves to another element, because windows that are being opened are then in the wrong place. */
  #moved = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The page that the user or a model has chosen; without one, the most likely page is shown. */
  #chosen: string | undefined;
  /** The query and fragment of the link that led to the chosen page; empty if no link did. */
  #suffix = '';

  constructor(options: PreviewOptions) {
    this.#options = options;
    this.#guard = new PageGuard(options.fileSystem);
    this.#files = new PageFiles(this.#guard.files);
    this.#builder = new PageBuilder(this.#guard.files);
    this.#running = new RunningPage({
      sandbox: options.sandbox,
      files: this.#files,
      builder: this.#builder,
      shownIn: () => this.#place(),
      listener: {
        onTitle: (title) => this.#set({ title }),
        onStuck: (isStuck) => this.#set({ isStuck }),
        onProblem: (problem) => this.#addProblem(problem),
        onFollow: (address) => void this.#follow(address),
        onLeft: () => void this.update({ mustLoad: true }),
        onEnd: (reason) => this.#set({ status: 'ended', reason }),
      },
    });
    this.#unwatch = options.fileSystem.watch((changes) => {
      this.#chosen = renamed(this.#state.entry, changes) ?? this.#chosen;
      this.#files.noteChanges(changes);
      if (changes.some(({ path }) => !isWithin(path, '/.git'))) this.#schedule();
    });
  }

  /** The session in which the page and evaluations run. */
  get session(): SandboxSession {
    return this.#running.session;
  }

  readonly getState = (): PreviewState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Shows the preview in an element, which must be positioned; undefined removes it from there. A running page is stopped,
   * and loaded again at the new place when the preview is visible.
   */
  attach(container: HTMLElement | undefined): void {
    if (this.#container === container) return;
    this.#container = container;
    this.#moved.abort();
    this.#moved = new AbortController();
    // A frame cannot be moved without reloading.
    this.#running.leave();
    this.#isStale = true;
    if (container === undefined) {
      this.#attached = Promise.withResolvers();
      this.#set({ status: 'idle' });
      return;
    }
    this.#attached.resolve();
    if (this.#isVisible) void this.update();
  }

  /** Resolves when the preview is attached to an element, or after the timeout. */
  async attached(timeoutMs: number): Promise<void> {
    const late = new Promise((resolve) => setTimeout(resolve, timeoutMs));
    await Promise.race([this.#attached.promise, late]);
  }

  /**
   * Sets whether the preview is visible: only then is the page rebuilt when files change. If they have changed before, it is
   * rebuilt now.
   */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (isVisible && this.#isStale) void this.update();
  }

  /** Sets the color scheme of the studio, which pages made of Markdown files follow. */
  setColorScheme(scheme: ColorScheme): void {
    this.#running.setColorScheme(scheme);
  }

  /** Shows another page, for the user: it has all files, even those that rules protect from tools. */
  show(entry: string): void {
    this.#liftGuard();
    this.#show(entry, '');
  }

  #show(entry: string, suffix: string): void {
    const mustLoad = suffix !== '' || this.#suffix !== '';
    this.#chosen = entry;
    this.#suffix = suffix;
    this.#running.forget();
    this.#set({ entry });
    void this.update({ mustLoad });
  }

  /** Reloads the page, for the user: it has all files, even those that rules protect from tools. Possible in any state. */
  reload(): void {
    this.#liftGuard();
    this.#running.forget({ scrolled: false });
    void this.update({ mustLoad: true });
  }

  /** Stops the running page, whatever it is doing. */
  end(): void {
    this.#running.end('The page was stopped manually.');
  }

  /**
   * Builds the page, and loads it if it has changed, or in any case if `mustLoad`; new styles are exchanged without loading.
   * Never rejects: the state has the result.
   */
  update({ mustLoad = false } = {}): Promise<void> {
    clearTimeout(this.#timer);
    return this.#queue.run(() => this.#update(mustLoad));
  }

  /**
   * Opens a page for a model, with all files, even those that rules protect from tools, and resolves with a report when the
   * page has settled. `entry`: the path of its file; by default, the page that was shown last, or else the most likely one.
   */
  open(entry: string | undefined, options: { abortSignal: AbortSignal }): Promise<PreviewReport> {
    this.#liftGuard();
    return this.#open(entry, options);
  }

  /**
   * Lets the next page have all files. A page that runs without some of them is stopped first, because it would get them,
   * too.
   */
  #liftGuard(): void {
    if (this.#guard.isShownProtected) this.#running.leave();
    this.#guard.lift();
  }

  /**
   * Returns this preview without the files that the user's rules protect (`paths`): it opens pages without them, and refuses
   * to tell anything about a page that has other files.
   */
  under(paths: ProtectedPaths): PagePreview {
    const mayTell = () => {
      // The output of a page is still there when the page has ended.
      const isAny = this.#running.page !== undefined || this.#running.lines().length > 0;
      if (isAny && !this.#guard.isShownUnder(paths)) throw new ToolFailure('denied', HAS_ALL_FILES);
    };
    return {
      open: async (entry, options) => {
        this.#guard.protect(paths);
        // The link that led to a page with all files may say what is in them.
        if (!this.#guard.isShownUnder(paths)) this.#suffix = '';
        const report = await this.#open(entry, options);
        if (this.#guard.isShownUnder(paths)) return report;
        // The page could not be built, so the one before is still there, or the user has opened another one.
        const problems = this.#guard.isBuiltUnder(paths) ? this.#buildProblems : [];
        return { ...report, title: '', problems, console: [] };
      },
      outline: async (...given) => {
        mayTell();
        const outline = await this.outline(...given);
        mayTell();
        return outline;
      },
      console: async (since) => {
        mayTell();
        // Not of the pages before, which may have read anything.
        return this.#running.lines().filter(({ id }) => id > since);
      },
      under: (others) => this.under(others),
    };
  }

  async #open(entry: string | undefined, { abortSignal }: { abortSignal: AbortSignal }): Promise<PreviewReport> {
    if (entry !== undefined) {
      this.#chosen = await this.#files.pageNamed(resolvePath(entry));
      this.#suffix = '';
      this.#running.forget();
    }
    await this.#loadAndSettle(abortSignal);
    const { status, entries, title, buildMs, problems, reason } = this.#state;
    const ended: PreviewProblem[] = reason === undefined ? [] : [{ severity: 'error', message: reason }];
    return {
      entry: this.#state.entry,
      entries,
      status: status === 'failed' || status === 'idle' ? 'failed' : status === 'ended' ? 'ended' : 'running',
      title,
      buildMs,
      problems: [...problems, ...ended],
      console: this.#running.lines(),
    };
  }

  /**
   * Loads the page and waits until it has settled. Loads it again, `LOADS_MAX` times at most, if the preview has moved or
   * files have changed meanwhile. Rejects with the signal's reason.
   */
  async #loadAndSettle(abortSignal: AbortSignal): Promise<void> {
    for (let loads = 0; loads < LOADS_MAX && !this.#closing.signal.aborted; loads++) {
      if (loads > 0 && !this.#isStale && !this.#queue.isBusy) return;
      await untilAborted(this.update({ mustLoad: loads === 0 }), abortSignal);
      await untilAborted(this.#running.settled(), abortSignal);
    }
  }

  /**
   * Returns the page as assistive technology presents it (see the function `outline`). Rejects with `ToolFailure` if no page
   * is running.
   */
  async outline(selector: string | undefined, { abortSignal }: { abortSignal: AbortSignal }): Promise<string> {
    if (this.#running.page === undefined)
      throw new ToolFailure('failed', 'No page is shown. Call preview_open first; its result says what is wrong.');
    const script = await this.#builder.fetch('outline.js');
    const wanted = selector === undefined ? '' : JSON.stringify(selector);
    const look = this.#running.look(`(() => { ${script}; return studioScript.outline(${wanted}) })()`, abortSignal);
    const { value } = await look.catch((error: unknown) => {
      // The other lines are about the studio’s own code.
      throw error instanceof ToolFailure ? new ToolFailure(error.code, error.message.split('\n')[0] ?? '') : error;
    });
    return value?.type === 'string' ? value.text : 'The page did not return an outline.';
  }

  /** Returns the lines that the page has printed after the entry with the id `since`. */
  async console(since: number): Promise<readonly PageLine[]> {
    return this.#running.lines(since);
  }

  /** Closes the preview permanently. */
  close(): void {
    this.#closing.abort();
    this.#unwatch();
    clearTimeout(this.#timer);
    this.#running.close();
    this.#builder.close();
    this.#hidden?.remove();
  }

  // ---- Building

  #schedule(): void {
    this.#isStale = true;
    clearTimeout(this.#timer);
    if (this.#isVisible) this.#timer = setTimeout(() => void this.update(), REBUILD_DELAY_MS);
  }

  async #update(mustLoad: boolean): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const before = this.#state.status;
    const moved = this.#moved.signal;
    this.#isStale = false;
    this.#guard.beginBuild();
    // Open the window for the first page during the build.
    let opening = this.#running.page === undefined || mustLoad ? this.#prepare() : undefined;
    try {
      const { entries, hasReact } = await findEntries(this.#guard.files);
      if (this.#running.page === undefined) this.#builder.prefetch(hasReact ? withImports(REACT) : []);
      const chosen = this.#chosen;
      const entry = chosen !== undefined && (await this.#files.isFile(chosen)) ? chosen : entries[0];
      this.#set({ entries, entry });
      if (entry === undefined) return this.#fail([{ severity: 'error', message: NOTHING_TO_SHOW }]);
      this.#set({ status: 'building' });
      const startedAt = performance.now();
      const outcome = await this.#builder.build(entry);
      this.#set({ buildMs: Math.round(performance.now() - startedAt) });
      if (outcome.type === 'failed') return this.#fail(outcome.problems);
      const { page, warnings } = outcome;
      const isSame =
        !mustLoad &&
        this.#guard.isShownCurrent &&
        !this.#files.hasReadChanged &&
        (before === 'running' || before === 'failed') &&
        isSamePage(this.#running.page, page);
      // A page that does not respond is loaded again.
      if (isSame) await this.#running.exchangeStyles(page).catch(() => this.#load(page, warnings, moved));
      else {
        await this.#load(page, warnings, moved, opening);
        opening = undefined;
      }
      if (moved.aborted) return;
      this.#set({ status: this.#state.status === 'ended' ? 'ended' : 'running' });
      this.#setProblems({ build: warnings });
    } catch (error) {
      // If it has moved, it is built again at the new place.
      if (this.#closing.signal.aborted || moved.aborted) return;
      this.#fail([{ severity: 'error', message: messageOf(error) }]);
    } finally {
      // A window that was not opened need not be closed.
      opening?.then(({ frame }) => frame.close()).catch(() => undefined);
    }
  }

  #prepare(): Promise<OpenedFrame> {
    return this.#running.prepare(AbortSignal.any([this.#closing.signal, this.#moved.signal]));
  }

  #fail(problems: readonly PreviewProblem[]): void {
    // Keep showing the page until it can be built again, but not a different page, which would be mistaken for it.
    const isOther = this.#running.page !== undefined && this.#running.page.entry !== this.#state.entry;
    if (isOther) this.#running.leave();
    this.#set({ status: 'failed', ...(isOther && { title: '' }) });
    this.#setProblems({ build: problems, ...(isOther && { page: [] }) });
  }

  async #load(
    page: BuiltPage,
    warnings: readonly PreviewProblem[],
    moved: AbortSignal,
    opening = this.#prepare(),
  ): Promise<void> {
    await this.#running.load(page, opening, {
      suffix: this.#suffix,
      storage: () => this.#guard.storage,
      abortSignal: moved,
      onBegin: () => {
        this.#guard.beginPage();
        this.#set({ status: 'loading', reason: undefined, title: '' });
        this.#setProblems({ build: warnings, page: [] });
      },
    });
    // Only for information; nothing waits for it.
    this.#options.sandbox.isApart(this.#closing.signal).then(
      (isApart) => this.#set({ sharesThread: !isApart }),
      () => undefined,
    );
  }

  /**
   * Shows the workspace page to which a link in the page leads. Reports a warning if the link leads outside the workspace or
   * nowhere. Does nothing if another page is running by the time that this is known.
   */
  async #follow(address: string): Promise<void> {
    const { page } = this.#running;
    const found = await this.#files.pageLinked(address, this.#state.entry ?? '/');
    // The next page is not told what the one before has said.
    if (this.#running.page !== page) return;
    const suffix = this.#guard.isShownCurrent ? /[?#].*$/.exec(address)?.[0] : undefined;
    if (found !== undefined) return this.#show(found, suffix ?? '');
    const leadsOut = isWebAddress(address) || needsNoFile(address);
    if (leadsOut)
      this.session.record.add({ type: 'refused', refusal: { run: 0, directive: 'navigation', target: address } });
    const message = leadsOut
      ? `The link to ${address} leads outside the workspace. A preview does not follow such links.`
      : `The link to "${address}" leads nowhere: there is no such page in the workspace.`;
    this.#addProblem({ severity: 'warning', message });
  }

  #addProblem(problem: PreviewProblem): void {
    const problems = this.#pageProblems;
    const isKnown =
      problems.some(
        ({ message, place }) =>
          message === problem.message && place?.path === problem.place?.path && place?.line === problem.place?.line,
      ) ||
      // The build has already reported it, with its position.
      (problem.message.startsWith(NOT_WRITTEN) &&
        this.#buildProblems.some(({ message }) => message.startsWith(SYNTAX)));
    if (!isKnown && problems.length < PROBLEMS_MAX) this.#setProblems({ page: [...problems, problem] });
  }

  // ---- Showing

  #place(): HTMLElement {
    if (this.#container !== undefined) return this.#container;
    this.#hidden ??= createHiddenPlace();
    return this.#hidden;
  }

  #setProblems({
    build = this.#buildProblems,
    page = this.#pageProblems,
  }: Partial<Record<'build' | 'page', readonly PreviewProblem[]>>) {
    this.#buildProblems = build;
    this.#pageProblems = page;
    this.#set({ problems: [...build, ...page] });
  }

  #set(change: Partial<PreviewState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** The packages that pages with JSX import. */
const REACT = ['react-dom/client', 'react/jsx-runtime'];

/** The start of messages about syntax errors, those of the build and those of the browser. */
const SYNTAX = 'SyntaxError:';
/** The start of the browser's message about a syntax error in an inline script, which the kernel writes into the document. */
const NOT_WRITTEN = `${SYNTAX} Failed to execute 'write' on 'Document':`;

const HAS_ALL_FILES =
  'The page in the preview was opened with all files, including those that rules of the user protect, so what it shows is withheld. Call preview_open to load it without them.';

const NOTHING_TO_SHOW = `There is nothing to show in this workspace. Looked for ${WHAT_IS_SHOWN} outside dist, build, coverage and node_modules.`;

/**
 * Returns the new path of a page that these changes seem to have renamed: it was deleted, and a single file with the same
 * ending was created. Otherwise undefined.
 */
function renamed(entry: string | undefined, changes: readonly FileChange[]): string | undefined {
  if (!changes.some(({ path, type }) => type === 'deleted' && path === entry)) return undefined;
  const ending = /\.\w+$/.exec(entry ?? '')?.[0] ?? '';
  const made = changes.filter(({ path, type }) => type === 'created' && path.endsWith(ending));
  return made.length === 1 ? made[0]?.path : undefined;
}

/** Checks whether two builds differ only in their styles, if at all. */
const isSamePage = (one: BuiltPage | undefined, other: BuiltPage): boolean =>
  one !== undefined &&
  one.entry === other.entry &&
  one.html === other.html &&
  one.styles.size === other.styles.size &&
  one.scripts.length === other.scripts.length &&
  one.scripts.every(
    ({ name, text }, index) => other.scripts[index]?.name === name && other.scripts[index]?.text === text,
  );

/**
 * Creates an invisible element, as large as a typical window but within the viewport: browsers stop rendering what is
 * outside.
 */
function createHiddenPlace(): HTMLElement {
  const element = document.createElement('div');
  element.setAttribute('aria-hidden', 'true');
  element.inert = true;
  element.style.cssText =
    'position:fixed;inset:0 auto auto 0;width:1024px;height:768px;opacity:0;pointer-events:none;z-index:-1';
  addHidden(element);
  return element;
}
