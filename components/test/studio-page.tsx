import { messageOf } from '#lib/base/message-of.ts';
import '#app/globals.css';
import { createRoot, type Root } from 'react-dom/client';
import { expect } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { COMPOSER_ID } from '#components/hooks/composer-id.ts';
import { StudioRoot } from '#components/layout/studio-root.tsx';
import type { AssistantMessage, Message, ToolCallingChoice } from '#lib/messages/message.ts';
import { StorageError } from '#lib/threads/thread-store.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { filesBelow } from '#lib/vfs/files-below.ts';
import { openStudio, type Studio } from '#studio/studio.ts';
import { keyboard, press } from './browser.ts';
import { type RemoteServer, startServer } from './servers.ts';
import { fillDatabases, layoutEntry, type StartingData } from './starting-data.ts';
import { STUDIO_COOKIE } from './studio-cookie.ts';
import type { StudioServer } from './studio-server.ts';

export interface OpenOptions extends StartingData {
  model?: string;
  toolCalling?: ToolCallingChoice;
  /** The id of the thread that is open; by default, a new one. */
  thread?: string;
  /** The studio's server that the page uses; by default, that of all tests, or one of this test if it begins with threads. */
  server?: RemoteServer<StudioServer>;
}

/** The number of the assistant's messages that are neither running nor waiting. */
const settledIn = (messages: readonly Message[]): number =>
  messages.filter((one) => one.role === 'assistant' && !['running', 'waiting'].includes(one.status.type)).length;

/** The studio in the document of a test, as a keyboard user sees it: everything is found by role and name. */
export class StudioPage {
  readonly message = page.getByRole('textbox', { name: 'Message', exact: true });
  readonly send = page.getByRole('button', { name: 'Send', exact: true });
  readonly stop = page.getByRole('button', { name: 'Stop', exact: true });
  readonly threads = page.getByRole('navigation', { name: 'Threads' });
  readonly files = page.getByRole('tree', { name: 'Files' });
  readonly editor = page.getByRole('region', { name: 'Editor' });
  readonly allow = page.getByRole('button', { name: 'Allow in this thread', exact: true });
  readonly allowOnce = page.getByRole('button', { name: 'Allow once', exact: true });
  readonly deny = page.getByRole('button', { name: 'Deny', exact: true });
  readonly toolsPanel = page.getByRole('dialog', { name: 'Tools', exact: true });
  /** The Undo button of a notice, such as that a thread was deleted. */
  readonly undo = page.getByRole('status').getByRole('button', { name: 'Undo', exact: true });
  /** The assistant's messages. */
  readonly answers = page.getByRole('article', { name: 'Assistant' });
  /** The errors that the page has reported, except for expected ones. */
  readonly problems: string[] = [];
  /** Parts of the texts of errors that the page may report. */
  readonly expectedProblems: string[] = [
    // Browsers report this to scripts, although they simply continue in the next frame.
    'ResizeObserver loop completed with undelivered notifications.',
  ];
  #unlisten = () => {};
  #root: Root | undefined;
  #container: HTMLElement | undefined;
  #opened: Promise<Studio> | undefined;
  #isOver = false;
  #ownServer: Promise<RemoteServer<StudioServer>> | undefined;

  /** The studio's own objects. */
  async studio(): Promise<Studio> {
    if (this.#opened === undefined) throw new Error('The studio is not open.');
    return this.#opened;
  }

  /** Deletes everything that the browser has stored, stores the starting data, and opens the studio. */
  async open({ model = 'scripted', toolCalling, thread, server, ...start }: OpenOptions = {}): Promise<void> {
    await this.close();
    this.#refuseIfOver();
    await forgetEverything();
    await belongTo(server ?? (start.threads?.length ? await this.#server() : undefined));
    await prepare({
      ...start,
      settings: start.settings ?? { defaultModel: model, ...(toolCalling !== undefined && { toolCalling }) },
    });
    history.replaceState(null, '', thread === undefined ? '/' : `/?thread=${thread}`);
    await this.#mount();
  }

  /** Closes the studio and opens it again with the stored data, as a reload does. `server`: uses this server from then on. */
  async reopen({ server }: Pick<OpenOptions, 'server'> = {}): Promise<void> {
    await this.close();
    if (server !== undefined) await belongTo(server);
    await this.#mount();
  }

  /** Sends the page's further requests to another server, as if the page's server had been restarted. */
  async moveTo(server: RemoteServer<StudioServer>): Promise<void> {
    await belongTo(server);
  }

  async #mount(): Promise<void> {
    this.#refuseIfOver();
    this.#container = document.createElement('div');
    this.#container.style.display = 'contents';
    document.body.append(this.#container);
    this.#root = createRoot(this.#container);
    // The test's document is in a frame, which keys reach only if it has the focus.
    window.focus();
    this.#listen();
    const opened = openStudio();
    this.#opened = opened;
    this.#root.render(<StudioRoot open={() => opened} />);
    await expect.element(page.locate(`#${COMPOSER_ID}`)).toBeVisible();
  }

  #listen(): void {
    const { error } = console;
    const report = (text: string) => {
      if (!this.expectedProblems.some((part) => text.includes(part))) this.problems.push(text);
    };
    console.error = (...args: unknown[]) => {
      // Vitest prints unhandled rejections if there is a listener. `reportRejection` reports them already.
      if (args[0] instanceof PromiseRejectionEvent) return;
      report(args.map((one) => messageOf(one)).join(' '));
    };
    const onError = ({ message }: ErrorEvent) => report(message);
    addEventListener('error', onError);
    this.#unlisten = () => {
      console.error = error;
      removeEventListener('error', onError);
    };
  }

  /** Closes the studio for good: a test that has timed out still runs, but must not open it again in the middle of others. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.close();
    await belongTo(undefined);
    await (await this.#ownServer)?.stop();
  }

  /** A server of this test alone: in that of all tests, threads with the same ids may still be running. */
  #server(): Promise<RemoteServer<StudioServer>> {
    this.#ownServer ??= startServer('studio');
    return this.#ownServer;
  }

  #refuseIfOver(): void {
    if (this.#isOver) throw new Error('The test is over.');
  }

  /** Closes the studio as the end of its tab does. */
  async close(): Promise<void> {
    if (this.#opened !== undefined) dispatchEvent(new PageTransitionEvent('pagehide'));
    this.#unlisten();
    this.#root?.unmount();
    this.#container?.remove();
    const opened = this.#opened;
    this.#root = this.#container = this.#opened = undefined;
    await (await opened)?.close();
    // Files of drafts may still be being stored. A dynamic import, because those that the page has begun end before it.
    const { closeKeptFiles } = await import('#components/chat/kept-files.ts');
    await closeKeptFiles();
  }

  /** Selects an option of a combobox by the beginning of its name. Opens the panel of tools first for “Tool calling”. */
  async choose(combobox: string, option: string): Promise<void> {
    const isInPanel = combobox === 'Tool calling';
    if (isInPanel) await this.openTools();
    await page.getByRole('combobox', { name: combobox, exact: true }).click();
    await page.getByRole('option', { name: new RegExp(`^${option}`, 'i') }).click();
    if (isInPanel && this.toolsPanel.query() !== null) await keyboard.press('Escape');
  }

  /** Opens the panel of tools, if it is closed. */
  async openTools(): Promise<void> {
    if (this.toolsPanel.query() !== null) return;
    await page.getByRole('button', { name: /^Tools: / }).click();
    await expect.element(this.toolsPanel).toBeVisible();
  }

  /** Waits until the panel of tools shows this text for how the model gets its tools. */
  async expectToolCalling(text: string): Promise<void> {
    await this.openTools();
    await expect.element(page.getByRole('combobox', { name: 'Tool calling', exact: true })).toHaveText(text);
    await keyboard.press('Escape');
    await expect.element(this.toolsPanel).not.toBeInTheDocument();
  }

  /** Turns a switch in the panel of tools on or off, such as that of a toolset. */
  async toggleTool(name: string): Promise<void> {
    await this.openTools();
    await this.toolsPanel.getByRole('switch', { name, exact: true }).click();
    await keyboard.press('Escape');
  }

  /** Opens the settings at a section. */
  async openSettings(section: string): Promise<void> {
    await page.getByRole('button', { name: 'Settings', exact: true }).first().click();
    await page.getByRole('dialog', { name: 'Settings' }).getByRole('tab', { name: section, exact: true }).click();
  }

  /** Chooses an action from the menu of an answer; by default, of the last one. */
  async chooseAction(action: string, answer = this.answers.last()): Promise<void> {
    await answer.hover();
    await answer.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  }

  async say(text: string): Promise<void> {
    await this.message.fill(text);
    // A dialog that has just been closed may have moved the focus.
    await press(this.message, 'Enter');
  }

  /** The card of a call of the tool `name`. `index`: which one, counted from 0, or from the end if negative. */
  call(name: string, index = 0): Locator {
    return page.getByRole('group', { name: `Tool call: ${name}`, exact: true }).nth(index);
  }

  /** An entry of the tree of files. */
  entry(name: string): Locator {
    return this.files.getByRole('treeitem', { name, exact: true });
  }

  /** Opens a file and waits until its text is shown. */
  async openFile(name: string, text: string): Promise<void> {
    await this.entry(name).click();
    await expect.element(this.editor.locate('.view-lines')).toContainText(text);
  }

  get threadId(): string {
    return new URLSearchParams(location.search).get('thread') ?? '';
  }

  /** Waits until exactly this many turns have settled and are stored. `whenAsked`: answers calls that ask for permission. */
  async settled(turns = 1, options: { whenAsked?: 'allow' | 'deny'; timeout?: number } = {}): Promise<void> {
    const button = options.whenAsked === undefined ? undefined : this[options.whenAsked];
    const { threads } = await this.studio();
    await expect
      .poll(
        async () => {
          const shown = threads.state.getState().session?.getSnapshot();
          // The question may have been answered and removed in the meantime.
          if (button !== undefined && shown?.asking.length !== 0 && button.query() !== null)
            await button.click({ timeout: 1_000 }).catch(() => undefined);
          const inMemory = shown && settledIn(shown.tree.nodes().map(({ message }) => message));
          // The stored messages are read only in the end, because reading them slows the turn down.
          return inMemory !== undefined && inMemory !== turns ? inMemory : settledIn(await this.messages());
        },
        { timeout: options.timeout ?? 30_000, interval: 20 },
      )
      .toBe(turns);
  }

  /** The thread's messages as they are stored, oldest first, including all branches. */
  async messages(threadId = this.threadId): Promise<Message[]> {
    const { store } = await this.studio();
    return (await store.messages(threadId)).map(({ message }) => message);
  }

  async turns(): Promise<AssistantMessage[]> {
    return (await this.messages()).filter((message): message is AssistantMessage => message.role === 'assistant');
  }

  /** The text files of the shown workspace, by path. */
  async workspace(): Promise<Map<string, string>> {
    const { workspaces, threads } = await this.studio();
    const { fileSystem } = await workspaces.open(threads.workspaceId);
    await fileSystem.refresh();
    const files = new Map<string, string>();
    const decoder = new TextDecoder();
    for await (const { path } of filesBelow(fileSystem, '/'))
      files.set(path, decoder.decode(await fileSystem.readFile(path)));
    return files;
  }
}

/**
 * Reports an unhandled rejection as an error of the page, except those of the storage: the studio shows these itself, and a
 * closed studio may still have been storing something, as at the end of a tab.
 */
function reportRejection({ reason }: PromiseRejectionEvent): void {
  if (!(reason instanceof StorageError || reason instanceof FileSystemError)) reportError(reason);
}

addEventListener('unhandledrejection', reportRejection);

/** Sets the cookie that decides which server this page's requests go to. */
async function belongTo(server: RemoteServer<StudioServer> | undefined): Promise<void> {
  if (server === undefined) await cookieStore.delete(STUDIO_COOKIE);
  else await cookieStore.set(STUDIO_COOKIE, await server.get('id'));
}

/** Fills this browser's storage through the studio's own code, so that a test starts in exactly the given state. */
async function prepare(data: StartingData): Promise<void> {
  await fillDatabases(data);
  localStorage.setItem(...layoutEntry(data));
}

/** The time limit for a closed studio to store what it had begun, in milliseconds. */
const STORING_ENDS_MS = 8_000;

async function forgetEverything(): Promise<void> {
  localStorage.clear();
  sessionStorage.clear();
  for (const { name = '' } of await indexedDB.databases())
    await new Promise<void>((resolve, reject) => {
      const request = indexedDB.deleteDatabase(name);
      request.onsuccess = () => resolve();
      request.onerror = () => reject(request.error);
      // The database is deleted once data that was being stored when the studio was closed is stored.
      request.onblocked = () =>
        setTimeout(() => reject(new Error(`Something still uses the database ${name}.`)), STORING_ENDS_MS);
    });
}
