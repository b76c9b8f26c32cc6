import { defined } from '#lib/base/defined.ts';
import { delay } from '#lib/base/delay.ts';
import type { KernelEnd } from '#lib/sandbox/kernel-connection.ts';
import type { FrameMessage, RunPlace, ShownPage } from '#lib/sandbox/protocol.ts';
import type { Sandbox } from '#lib/sandbox/sandbox.ts';
import type { OpenedFrame, SandboxSession } from '#lib/sandbox/sandbox-session.ts';
import { type PageLine, type PreviewProblem, problemText, type SourcePlace } from '#lib/tools/capabilities/preview.ts';
import { lineText, valueText } from '#lib/tools/capabilities/rendered-value.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import { type BuiltPage, globalName, type PageScript, scriptToken, withStyles } from './built-page.ts';
import { type ColorScheme, followCode } from './color-scheme.ts';
import { Heartbeat } from './heartbeat.ts';
import {
  HASTY_MS,
  LOAD_TIMEOUT_MS,
  QUERY_TIMEOUT_MS,
  SELF_RELOADS_MAX,
  SETTLED_MAX_MS,
  SETTLED_MS,
  STORED_MAX_CHARS,
} from './limits.ts';
import { globalFile } from './packages.ts';
import type { PageBuilder } from './page-builder.ts';
import type { PageFiles } from './page-files.ts';
import type { PageStorage } from './page-guard.ts';
import { sourcePlace } from './source-places.ts';

/** Events of a page. */
interface PageListener {
  onTitle(title: string): void;
  /** The page has stopped responding, or responds again. */
  onStuck(isStuck: boolean): void;
  onProblem(problem: PreviewProblem): void;
  /** A link in the page was followed, which has no other effect. */
  onFollow(address: string): void;
  /** The page navigated away, which leads nowhere: it must be reloaded. */
  onLeft(): void;
  /** The page was stopped, for the given reason. */
  onEnd(reason: string): void;
}

/** The capabilities that a running page needs. */
interface RunningPageOptions {
  sandbox: Pick<Sandbox, 'createPage'>;
  files: PageFiles;
  builder: PageBuilder;
  /** The element in which the next window is shown. */
  shownIn(): HTMLElement;
  listener: PageListener;
}

/** The window in which pages run, one after the other, and the state that is kept between them. */
export class RunningPage {
  readonly session: SandboxSession;
  readonly #options: RunningPageOptions;
  /** The page that is running. */
  #page: BuiltPage | undefined;
  /** The scripts of the running page's workers, by name. */
  readonly #workerScripts = new Map<string, PageScript>();
  /** Resolves when the page has loaded, or never will. */
  #loaded = Promise.withResolvers<void>();
  #loadedAt = Number.POSITIVE_INFINITY;
  /** The id of the last entry in the session's record before the page was loaded; 0 if there was none. */
  #loadedAfter = 0;
  /** The content of the running page's storage. */
  #storage: PageStorage = { local: {}, session: {} };
  #colorScheme: ColorScheme | undefined;
  /** The scroll position of the running page, or of the last one, in CSS pixels. */
  #scrolled: { entry: string; x: number; y: number } | undefined;
  /** The number of times in a row that the page has navigated away right after loading. */
  #selfReloads = 0;
  #lastHeardAt = 0;
  readonly #heartbeat: Heartbeat;
  readonly #closing = new AbortController();

  constructor(options: RunningPageOptions) {
    this.#options = options;
    this.#heartbeat = new Heartbeat(() => this.session.ping(), options.listener.onStuck);
    this.session = options.sandbox.createPage({
      shownIn: options.shownIn,
      onMessage: (message) => this.#receive(message),
      onEnd: (reason, end) => this.#onEnd(reason, end),
      readForPage: (path) => options.files.readForPage(path),
      bundleForPage: (path) => this.#bundle(path),
      describePlace: (places) => {
        const place = this.#placeOf(places);
        return place === undefined ? undefined : `${place.path}:${place.line}:${place.column}`;
      },
    });
  }

  /** The running page; undefined if there is none. */
  get page(): BuiltPage | undefined {
    return this.#page;
  }

  /** Opens a window for the next page, to be passed to `load`. If that fails, the error need not be handled before `load`. */
  prepare(abortSignal: AbortSignal): Promise<OpenedFrame> {
    const opening = this.session.prepare(AbortSignal.any([this.#closing.signal, abortSignal]));
    opening.catch(() => undefined);
    return opening;
  }

  /**
   * Runs another page in the window that `opening` resolves with, and resolves when the page has loaded or was stopped. If
   * `abortSignal` has fired by the time that page and window are ready, only closes the window. `suffix`: the query and
   * fragment of the page's address. `storage`: returns the entries that the page gets; called again after `onBegin`, for the
   * object that the page's changes go to. `onBegin`: called when the page is about to start.
   */
  async load(
    page: BuiltPage,
    opening: Promise<OpenedFrame>,
    {
      suffix,
      storage,
      abortSignal,
      onBegin,
    }: { suffix: string; storage(): PageStorage; abortSignal: AbortSignal; onBegin(): void },
  ): Promise<void> {
    const [shown, opened] = await Promise.all([this.#shown(page, suffix, storage()), opening]);
    if (abortSignal.aborted) return opened.frame.close();
    this.#options.files.forgetRead();
    this.#workerScripts.clear();
    this.#loaded.resolve();
    this.#loaded = Promise.withResolvers();
    this.#heartbeat.stop();
    onBegin();
    this.#loadedAfter = this.session.record.getEntries().at(-1)?.id ?? 0;
    this.session.use(opened, page.entry);
    this.#storage = storage();
    this.#loadedAt = Number.POSITIVE_INFINITY;
    this.#page = page;
    opened.frame.describe(page.entry);
    opened.frame.send({ type: 'page', ...shown });
    const late = setTimeout(() => this.end(NOT_LOADED), LOAD_TIMEOUT_MS);
    await this.#loaded.promise;
    clearTimeout(late);
  }

  /** Replaces the styles of the running page, which keeps its state. Rejects if it does not respond. */
  async exchangeStyles(page: BuiltPage): Promise<void> {
    const changed = [...page.styles].filter(([name, text]) => this.#page?.styles.get(name) !== text);
    this.#page = page;
    if (changed.length === 0) return;
    const code = changed.map(
      ([name, text]) =>
        `document.querySelector('style[data-studio-style="${name}"]').textContent = ${JSON.stringify(text)};`,
    );
    await this.look(code.join('\n'), this.#closing.signal);
  }

  /** Sets the color scheme of pages that follow the studio's: of the running page at once, and of later ones when they load. */
  setColorScheme(scheme: ColorScheme): void {
    if (this.#colorScheme === scheme) return;
    this.#colorScheme = scheme;
    // A page that does not respond keeps its colors until it is loaded again.
    if (this.#page !== undefined) this.look(followCode(scheme), this.#closing.signal).catch(() => undefined);
  }

  /**
   * Forgets how often the page has reloaded itself and, if `scrolled`, its scroll position. Called when the user or a model
   * requests another page or a reload.
   */
  forget({ scrolled = true } = {}): void {
    this.#selfReloads = 0;
    if (scrolled) this.#scrolled = undefined;
  }

  /** Stops the running page, whatever it is doing, and calls `onEnd`. */
  end(reason: string): void {
    this.leave();
    this.#options.listener.onEnd(reason);
  }

  /** Stops the running page without calling `onEnd`. */
  leave(): void {
    if (this.#page !== undefined) this.session.reset();
    this.#page = undefined;
    this.#heartbeat.stop();
    this.#loaded.resolve();
  }

  close(): void {
    this.#closing.abort();
    this.leave();
    this.session.reset();
  }

  /**
   * Runs the studio's own code in the page, and returns the outcome. Rejects with `ToolFailure`; a page that does not respond
   * in time is stopped.
   */
  look(code: string, abortSignal: AbortSignal) {
    const none = () => Promise.reject(new Error('Files are not available here.'));
    const files = { read: none, write: none, list: none };
    return this.session.evaluate(code, { abortSignal, timeoutMs: QUERY_TIMEOUT_MS, by: 'studio', files });
  }

  /**
   * Resolves when the page has printed nothing for `SETTLED_MS`, after `SETTLED_MAX_MS`, or when it was stopped. Before that,
   * reports the title of a page that still runs with `onTitle`.
   */
  async settled(): Promise<void> {
    const end = performance.now() + SETTLED_MAX_MS;
    this.#lastHeardAt = performance.now();
    while (this.#page !== undefined) {
      const now = performance.now();
      if (now > end || now - this.#lastHeardAt > SETTLED_MS) break;
      await delay(50);
    }
    if (this.#page === undefined) return;
    // A page that does not respond has no title.
    const look = await this.look('document.title', this.#closing.signal).catch(() => undefined);
    this.#options.listener.onTitle(look?.value?.type === 'string' ? valueText(look.value) : '');
  }

  /**
   * Returns the lines that the page has printed and the requests that were blocked, after the entry with the id `since`; by
   * default, all since the page was loaded.
   */
  lines(since = this.#loadedAfter): PageLine[] {
    return this.session.record.getEntries().flatMap((entry) => {
      if (entry.id <= since) return [];
      if (entry.type === 'printed') return { id: entry.id, text: lineText(entry.line) };
      if (entry.type !== 'refused') return [];
      return { id: entry.id, text: `blocked: ${entry.refusal.directive} ${entry.refusal.target}` };
    });
  }

  async #shown(page: BuiltPage, suffix: string, stored: PageStorage): Promise<ShownPage> {
    const { entry, scripts } = page;
    const { builder } = this.#options;
    const named = (name: string, text: string) => ({ name, token: scriptToken(name), text });
    const [prelude, packages, globals] = await Promise.all([
      builder.prelude(),
      Promise.all(page.packages.map(async (name) => named(name, await builder.package(name)))),
      Promise.all(page.globals.map(async (name) => named(globalName(name), await builder.fetch(globalFile(name))))),
    ]);
    return {
      html: withStyles(page),
      scripts: [
        ...scripts.flatMap(({ name, text }) => (text === undefined ? [] : named(name, text))),
        ...packages,
        ...globals,
      ],
      prelude: `(given) => { ${prelude}; studioScript.prepare(given) }`,
      given: {
        path: entry,
        suffix,
        stored,
        storedMaxChars: STORED_MAX_CHARS,
        colorScheme: this.#colorScheme,
        scrolled: this.#scrolled?.entry === entry ? this.#scrolled : undefined,
      },
    };
  }

  #receive(message: FrameMessage): void {
    const { listener } = this.#options;
    switch (message.type) {
      case 'loaded':
        this.#loadedAt = performance.now();
        listener.onTitle(message.title);
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
        listener.onProblem({ severity: 'error', message: text, ...defined({ place }) });
        break;
      }
      case 'spun':
        this.#heartbeat.answered();
        break;
      case 'scrolled':
        if (this.#page !== undefined) this.#scrolled = { entry: this.#page.entry, x: message.x, y: message.y };
        break;
      case 'stored':
        this.#storage[message.area] = message.entries;
        break;
      case 'leaving':
        listener.onFollow(message.address);
        break;
      default:
        break;
    }
  }

  #onEnd(reason: string, end: KernelEnd | 'stopped'): void {
    const page = this.#page;
    this.leave();
    // If the page had been running for a while, the user probably caused the navigation.
    const isHasty = performance.now() - this.#loadedAt < HASTY_MS;
    this.#selfReloads = isHasty ? this.#selfReloads + 1 : 0;
    const { listener } = this.#options;
    // Games often restart by reloading themselves.
    if (end === 'left' && page !== undefined && this.#selfReloads <= SELF_RELOADS_MAX) listener.onLeft();
    else listener.onEnd(end === 'left' ? LEFT : reason);
  }

  /** Builds a script for a worker of the page. Build problems are reported as problems of the page. */
  async #bundle(path: string): Promise<string> {
    const { files, builder, listener } = this.#options;
    const page = this.#page;
    const outcome = await builder.buildScript(await files.fileForPage(path));
    if (this.#page !== page) throw new ToolFailure('aborted', 'Another page is running now.');
    if (outcome.type === 'failed') {
      outcome.problems.forEach(listener.onProblem);
      files.noteRead(outcome.problems.flatMap(({ place }) => place?.path ?? []));
      throw new ToolFailure('failed', outcome.problems.map(problemText).join('\n'));
    }
    const { script, inputs } = outcome;
    files.noteRead(inputs);
    this.#workerScripts.set(script.name, script);
    return `${script.text}\n//# sourceURL=${scriptToken(script.name)}`;
  }

  #placeOf(places: readonly RunPlace[]): SourcePlace | undefined {
    return sourcePlace([...(this.#page?.scripts ?? []), ...this.#workerScripts.values()], places);
  }
}

const LEFT =
  'The page keeps navigating to another address. A preview follows links to pages of the workspace, but code that sets the location can only reload the same page.';

const NOT_LOADED = `The page did not finish loading within ${LOAD_TIMEOUT_MS / 1000} seconds and was stopped. It may contain an infinite loop.`;
