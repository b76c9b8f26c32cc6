import type { FrameEnd } from '#lib/sandbox/frame.ts';
import type { FrameMessage, RunPlace, ShownPage } from '#lib/sandbox/protocol.ts';
import type { Sandbox } from '#lib/sandbox/sandbox.ts';
import type { OpenedFrame, SandboxSession } from '#lib/sandbox/sandbox-session.ts';
import {
  type PageLine,
  type PagePreview,
  type PreviewProblem,
  type PreviewReport,
  problemText,
  type SourcePlace,
} from '#lib/tools/preview.ts';
import { lineText, valueText } from '#lib/tools/rendered-value.ts';
import { ToolFailure } from '#lib/tools/tool.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { isWithin, resolvePath } from '#lib/vfs/paths.ts';
import { type BuiltPage, type PageScript, scriptToken, withStyles } from './built-page.ts';
import { findEntries, WHAT_IS_SHOWN } from './entry-pages.ts';
import { Heartbeat } from './heartbeat.ts';
import {
  HASTY_MS,
  LOAD_TIMEOUT_MS,
  PROBLEMS_MAX,
  QUERY_TIMEOUT_MS,
  REBUILD_DELAY_MS,
  SELF_RELOADS_MAX,
  SETTLED_MAX_MS,
  SETTLED_MS,
  STORED_MAX_CHARS,
} from './limits.ts';
import { withImports } from './packages.ts';
import { PageBuilder } from './page-builder.ts';
import { PageFiles } from './page-files.ts';
import { sourcePlace } from './source-places.ts';

export type PreviewStatus =
  /** Nothing was to be shown yet. */
  | 'idle'
  | 'building'
  | 'loading'
  | 'running'
  /** It could not be built. What was shown before stays. */
  | 'failed'
  /** It had to be ended, as `reason` says. */
  | 'ended';

export interface PreviewState {
  status: PreviewStatus;
  /** What is shown, or was to be; undefined where there is nothing to show. */
  entry: string | undefined;
  entries: readonly string[];
  title: string;
  /** Errors and warnings of the build, and errors that the page did not catch. */
  problems: readonly PreviewProblem[];
  reason?: string | undefined;
  /** How long the last build took. */
  buildMs: number;
  /** It runs, and has not answered for a while. */
  isStuck: boolean;
  /** The browser lets pages hold the studio up. */
  sharesThread: boolean;
}

export interface PreviewOptions {
  fileSystem: FileSystem;
  sandbox: Pick<Sandbox, 'createPage' | 'isApart'>;
}

/** A workspace as a page that runs: built from its files, anew when they change, in a window apart. */
export class Preview implements PagePreview {
  readonly session: SandboxSession;
  readonly #options: PreviewOptions;
  readonly #builder: PageBuilder;
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
  /** Where it is shown; without that, out of sight. */
  #container: HTMLElement | undefined;
  /** Resolves when it is shown somewhere. */
  #attached = Promise.withResolvers<void>();
  #isVisible = false;
  #isStale = true;
  #hidden: HTMLElement | undefined;
  #buildProblems: readonly PreviewProblem[] = [];
  #pageProblems: readonly PreviewProblem[] = [];
  /** What runs. */
  #page: BuiltPage | undefined;
  /** Resolves when the page has loaded, or cannot any more. */
  #loaded = Promise.withResolvers<void>();
  #stored: Record<'local' | 'session', Record<string, string>> = { local: {}, session: {} };
  #queue: Promise<unknown> = Promise.resolve();
  #closing = new AbortController();
  /** Fires when windows that are being opened are no longer where they are to be shown. */
  #moved = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** How often the page has sent itself elsewhere as soon as it was loaded. */
  #selfReloads = 0;
  #loadedAt = Number.POSITIVE_INFINITY;
  /** What the person or a model wants to see; without that, what is likeliest. */
  #chosen: string | undefined;
  /** The query and the fragment of the link that has led there. */
  #suffix = '';
  readonly #files: PageFiles;
  /** Scripts of the page's workers, by name. */
  readonly #workerScripts = new Map<string, PageScript>();
  /** How far the page was scrolled. */
  #scrolled: { x: number; y: number } | undefined;
  readonly #heartbeat = new Heartbeat(
    () => this.session.ping(),
    (isStuck) => this.#set({ isStuck }),
  );
  #lastHeardAt = 0;
  /** The last entry of the record before the page was loaded. */
  #loadedAfter = 0;

  constructor(options: PreviewOptions) {
    this.#options = options;
    this.#files = new PageFiles(options.fileSystem);
    this.#builder = new PageBuilder(options.fileSystem);
    this.session = options.sandbox.createPage({
      shownIn: () => this.#place(),
      onMessage: (message) => this.#receive(message),
      onEnd: (reason, end) => this.#onEnd(reason, end),
      readForPage: (path) => this.#files.readForPage(path),
      bundleForPage: (path) => this.#bundleForPage(path),
      describePlace: (places) => {
        const place = this.#placeOf(places);
        return place === undefined ? undefined : `${place.path}:${place.line}:${place.column}`;
      },
    });
    this.#unwatch = options.fileSystem.watch((changes) => {
      this.#files.noteChanges(changes);
      if (changes.some(({ path }) => !isWithin(path, '/.git'))) this.#schedule();
    });
  }

  readonly getState = (): PreviewState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Shows it in an element, which has to be positioned; undefined takes it away from there. */
  attach(container: HTMLElement | undefined): void {
    if (this.#container === container) return;
    this.#container = container;
    this.#moved.abort();
    this.#moved = new AbortController();
    // A frame cannot move: where it was shown, it loads anew.
    if (this.#page !== undefined) this.session.reset();
    this.#page = undefined;
    this.#loaded.resolve();
    this.#heartbeat.stop();
    this.#isStale = true;
    if (container === undefined) {
      this.#attached = Promise.withResolvers();
      this.#set({ status: 'idle' });
      return;
    }
    this.#attached.resolve();
    if (this.#isVisible) void this.update();
  }

  /** Resolves when it is shown somewhere, or after that time. */
  async attached(timeoutMs: number): Promise<void> {
    const late = new Promise((resolve) => setTimeout(resolve, timeoutMs));
    await Promise.race([this.#attached.promise, late]);
  }

  /** Whether somebody looks: only then is it built when files change. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (isVisible && this.#isStale) void this.update();
  }

  /** Shows another page. */
  show(entry: string, suffix = ''): void {
    this.#chosen = entry;
    this.#suffix = suffix;
    this.#scrolled = undefined;
    this.#set({ entry });
    void this.update({ mustLoad: suffix !== '' });
  }

  /** Loads the page anew, whatever state it is in. */
  reload(): void {
    this.#selfReloads = 0;
    void this.update({ mustLoad: true });
  }

  /** Ends the page that runs, whatever it is doing. */
  end(): void {
    this.#endWith('The page was ended by hand.');
  }

  /** Builds, and loads what has changed. Never rejects: the state says what came of it. */
  update({ mustLoad = false } = {}): Promise<void> {
    clearTimeout(this.#timer);
    const update = this.#queue.then(() => this.#update(mustLoad));
    this.#queue = update;
    return update;
  }

  async open(entry: string | undefined, { abortSignal }: { abortSignal: AbortSignal }): Promise<PreviewReport> {
    if (entry !== undefined) {
      this.#chosen = await this.#files.pageNamed(resolvePath(entry));
      this.#suffix = '';
      this.#scrolled = undefined;
    }
    await untilAborted(this.update({ mustLoad: true }), abortSignal);
    await untilAborted(this.#settled(), abortSignal);
    const { status, entries, title, buildMs, problems, reason } = this.#state;
    const ended: PreviewProblem[] = reason === undefined ? [] : [{ severity: 'error', message: reason }];
    return {
      entry: this.#state.entry,
      entries,
      status: status === 'failed' || status === 'idle' ? 'failed' : status === 'ended' ? 'ended' : 'running',
      title,
      buildMs,
      problems: [...problems, ...ended],
      console: await this.console(this.#loadedAfter),
    };
  }

  async outline(selector: string | undefined, { abortSignal }: { abortSignal: AbortSignal }): Promise<string> {
    if (this.#page === undefined)
      throw new ToolFailure('failed', 'No page is shown. Call preview_open first; its result says what is wrong.');
    const script = await this.#builder.fetch('outline.js');
    const wanted = selector === undefined ? '' : JSON.stringify(selector);
    const look = this.#look(`(() => { ${script}; return studioScript.outline(${wanted}) })()`, abortSignal);
    const { value } = await look.catch((error: unknown) => {
      // Its lines are the studio’s own.
      throw error instanceof ToolFailure ? new ToolFailure(error.code, error.message.split('\n')[0] ?? '') : error;
    });
    return value?.type === 'string' ? value.text : 'The page gave no outline.';
  }

  async console(since: number): Promise<readonly PageLine[]> {
    const lines: PageLine[] = [];
    for (const entry of this.session.record.getEntries()) {
      if (entry.id <= since) continue;
      if (entry.type === 'printed') lines.push({ id: entry.id, text: lineText(entry.line) });
      else if (entry.type === 'refused')
        lines.push({ id: entry.id, text: `refused: ${entry.refusal.directive} ${entry.refusal.target}` });
    }
    return lines;
  }

  /** Ends it for good. */
  close(): void {
    this.#closing.abort();
    this.#unwatch();
    clearTimeout(this.#timer);
    this.#heartbeat.stop();
    this.session.reset();
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
    // The first page need not wait for its window until it is built.
    let opening = this.#page === undefined || mustLoad ? this.#prepare() : undefined;
    try {
      const { entries, hasReact } = await findEntries(this.#options.fileSystem);
      if (this.#page === undefined) this.#builder.prefetch(hasReact ? withImports(REACT) : []);
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
        !this.#files.hasReadChanged &&
        (before === 'running' || before === 'failed') &&
        isSamePage(this.#page, page);
      if (isSame) await this.#exchangeStyles(page);
      else {
        await this.#load(page, moved, opening);
        opening = undefined;
      }
      if (moved.aborted) return;
      this.#set({ status: this.#state.status === 'ended' ? 'ended' : 'running' });
      this.#setProblems({ build: warnings });
    } catch (error) {
      // Where it moved to, it is built again.
      if (this.#closing.signal.aborted || moved.aborted) return;
      this.#fail([{ severity: 'error', message: error instanceof Error ? error.message : String(error) }]);
    } finally {
      opening?.then(({ frame }) => frame.close()).catch(() => undefined);
    }
  }

  /** A window for the next page. Its failure is found when it is wanted. */
  #prepare(): Promise<OpenedFrame> {
    const opening = this.session.prepare(AbortSignal.any([this.#closing.signal, this.#moved.signal]));
    opening.catch(() => undefined);
    return opening;
  }

  #fail(problems: readonly PreviewProblem[]): void {
    this.#set({ status: 'failed' });
    this.#setProblems({ build: problems });
  }

  // ---- Loading

  async #load(page: BuiltPage, moved: AbortSignal, opening = this.#prepare()): Promise<void> {
    const [shown, opened] = await Promise.all([this.#shownPage(page), opening]);
    // It was opened where it is not to be any more.
    if (moved.aborted) return opened.frame.close();
    this.#files.forgetRead();
    this.#workerScripts.clear();
    this.#loaded.resolve();
    this.#loaded = Promise.withResolvers();
    this.#set({ status: 'loading', reason: undefined, title: '' });
    this.#setProblems({ build: [], page: [] });
    this.#loadedAfter = this.session.record.getEntries().at(-1)?.id ?? 0;
    this.#heartbeat.stop();
    this.session.use(opened);
    this.#loadedAt = Number.POSITIVE_INFINITY;
    this.#page = page;
    opened.frame.describe(page.entry);
    opened.frame.send({ type: 'page', ...shown });
    const late = setTimeout(() => this.#endWith(NOT_LOADED), LOAD_TIMEOUT_MS);
    await this.#loaded.promise;
    clearTimeout(late);
    // Nothing waits for that: it is only said.
    this.#options.sandbox.isApart(this.#closing.signal).then(
      (isApart) => this.#set({ sharesThread: !isApart }),
      () => undefined,
    );
  }

  async #shownPage(page: BuiltPage): Promise<ShownPage> {
    const { entry, scripts } = page;
    const named = (name: string, text: string) => ({ name, token: scriptToken(name), text });
    const [prelude, packages] = await Promise.all([
      this.#builder.prelude(),
      Promise.all(page.packages.map(async (name) => named(name, await this.#builder.package(name)))),
    ]);
    return {
      html: withStyles(page),
      scripts: [...scripts.flatMap(({ name, text }) => (text === undefined ? [] : named(name, text))), ...packages],
      prelude: `(given) => { ${prelude}; studioScript.prepare(given) }`,
      given: {
        path: entry,
        suffix: this.#suffix,
        stored: this.#stored,
        storedMaxChars: STORED_MAX_CHARS,
        scrolled: this.#scrolled,
      },
    };
  }

  #endWith(reason: string): void {
    this.session.reset();
    this.#page = undefined;
    this.#heartbeat.stop();
    this.#set({ status: 'ended', reason });
    this.#loaded.resolve();
  }

  /** Puts other styles into the page that runs: what it has done stays. */
  async #exchangeStyles(page: BuiltPage): Promise<void> {
    const changed = [...page.styles].filter(([name, text]) => this.#page?.styles.get(name) !== text);
    this.#page = page;
    if (changed.length === 0) return;
    const code = changed.map(
      ([name, text]) =>
        `document.querySelector('style[data-studio-style="${name}"]').textContent = ${JSON.stringify(text)};`,
    );
    await this.#look(code.join('\n'), this.#closing.signal).catch(() => this.#load(page, this.#moved.signal));
  }

  async #readTitle(): Promise<string> {
    try {
      const { value } = await this.#look('document.title', this.#closing.signal);
      return value?.type === 'string' ? valueText(value) : '';
    } catch {
      return '';
    }
  }

  /** Runs code of the studio in the page. */
  #look(code: string, abortSignal: AbortSignal) {
    const none = () => Promise.reject(new Error('There are no files here.'));
    const files = { read: none, write: none, list: none };
    return this.session.evaluate(code, { abortSignal, timeoutMs: QUERY_TIMEOUT_MS, by: 'studio', files });
  }

  /** Resolves when the page has been quiet for a while. */
  async #settled(): Promise<void> {
    const end = performance.now() + SETTLED_MAX_MS;
    this.#lastHeardAt = performance.now();
    while (this.#state.status === 'running') {
      const now = performance.now();
      if (now > end || now - this.#lastHeardAt > SETTLED_MS) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    if (this.#state.status === 'running') this.#set({ title: await this.#readTitle() });
  }

  // ---- What the page does

  #receive(message: FrameMessage): void {
    switch (message.type) {
      case 'loaded':
        this.#loadedAt = performance.now();
        this.#set({ title: message.title });
        this.#loaded.resolve();
        this.#heartbeat.start();
        break;
      case 'console':
        this.#lastHeardAt = performance.now();
        break;
      case 'uncaught': {
        this.#lastHeardAt = performance.now();
        const place = this.#placeOf(message.at ?? []);
        const text = message.isError ? valueText(message.value) : `Thrown: ${valueText(message.value)}`;
        this.#addProblem({ severity: 'error', message: text, ...(place && { place }) });
        break;
      }
      case 'spun':
        this.#heartbeat.answered();
        break;
      case 'scrolled':
        this.#scrolled = { x: message.x, y: message.y };
        break;
      case 'stored':
        this.#stored = { ...this.#stored, [message.area]: message.entries };
        break;
      case 'leaving':
        void this.#follow(message.address);
        break;
      default:
        break;
    }
  }

  #placeOf(places: readonly RunPlace[]): SourcePlace | undefined {
    return sourcePlace([...(this.#page?.scripts ?? []), ...this.#workerScripts.values()], places);
  }

  #addProblem(problem: PreviewProblem): void {
    const problems = this.#pageProblems;
    const isKnown = problems.some(
      ({ message, place }) =>
        message === problem.message && place?.path === problem.place?.path && place?.line === problem.place?.line,
    );
    if (!isKnown && problems.length < PROBLEMS_MAX) this.#setProblems({ page: [...problems, problem] });
  }

  #onEnd(reason: string, end: FrameEnd | 'stopped'): void {
    const page = this.#page;
    this.#page = undefined;
    this.#heartbeat.stop();
    this.#loaded.resolve();
    // One that went well for a while was sent by its person.
    const isHasty = performance.now() - this.#loadedAt < HASTY_MS;
    this.#selfReloads = isHasty ? this.#selfReloads + 1 : 0;
    // Games begin anew by loading themselves once more.
    if (end === 'left' && page !== undefined && this.#selfReloads <= SELF_RELOADS_MAX)
      return void this.update({ mustLoad: true });
    this.#set({ status: 'ended', reason: end === 'left' ? LEFT : reason });
  }

  /** Goes where a link of the page leads, as far as that is in the workspace. */
  async #follow(address: string): Promise<void> {
    const found = await this.#files.pageLinked(address, this.#state.entry ?? '/');
    if (found !== undefined) this.show(found, /[?#].*$/.exec(address)?.[0]);
    else this.session.record.add({ type: 'refused', refusal: { run: 0, directive: 'navigation', target: address } });
  }

  /** A script for a worker of the page. What keeps it from being built is a problem of the page. */
  async #bundleForPage(path: string): Promise<string> {
    const file = await this.#files.fileForPage(path);
    const outcome = await this.#builder.buildScript(file);
    if (outcome.type === 'failed') {
      for (const problem of outcome.problems) this.#addProblem(problem);
      throw new ToolFailure('failed', outcome.problems.map(problemText).join('\n'));
    }
    const { script, inputs } = outcome;
    this.#files.noteRead(inputs);
    this.#workerScripts.set(script.name, script);
    return `${script.text}\n//# sourceURL=${scriptToken(script.name)}`;
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

/** What pages with JSX import. */
const REACT = ['react-dom/client', 'react/jsx-runtime'];

const LEFT =
  'The page sends itself to another address, again and again. A preview follows links to pages of the workspace; where code sets its location, it can only load the same page anew.';

const NOT_LOADED = `The page did not finish loading within ${LOAD_TIMEOUT_MS / 1000} seconds and was ended. It may contain an endless loop.`;

const NOTHING_TO_SHOW = `There is nothing to show in this workspace. Looked for ${WHAT_IS_SHOWN}, outside of dist, build, coverage and node_modules.`;

/** Whether two builds differ in their styles at most. */
const isSamePage = (one: BuiltPage | undefined, other: BuiltPage): boolean =>
  one !== undefined &&
  one.entry === other.entry &&
  one.html === other.html &&
  one.styles.size === other.styles.size &&
  one.scripts.length === other.scripts.length &&
  one.scripts.every(
    ({ name, text }, index) => other.scripts[index]?.name === name && other.scripts[index]?.text === text,
  );

/** As large as a window, out of sight, and still within it: browsers stop drawing what is not. */
function createHiddenPlace(): HTMLElement {
  const element = document.createElement('div');
  element.setAttribute('aria-hidden', 'true');
  element.inert = true;
  element.style.cssText =
    'position:fixed;inset:0 auto auto 0;width:1024px;height:768px;opacity:0;pointer-events:none;z-index:-1';
  document.body.append(element);
  return element;
}

/** Gives up waiting, not the work, when the signal fires. */
async function untilAborted<T>(work: Promise<T>, abortSignal: AbortSignal): Promise<T> {
  abortSignal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(abortSignal.reason);
  abortSignal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    abortSignal.removeEventListener('abort', onAbort);
  }
}
