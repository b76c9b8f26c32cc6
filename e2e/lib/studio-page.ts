import { expect, type Locator, type Page } from '@playwright/test';
import type { StartingData } from '#components/test/starting-data.ts';
import type { AssistantMessage, Message } from '#lib/messages/message.ts';
import { prepareWorkspace, readMessages, readTurns, readWorkspace } from './storage.ts';

type ToolCalling = 'auto' | 'native' | 'prompted';

/** Opens the settings of a studio at a section. */
export async function openSettings(page: Page, section: string): Promise<void> {
  await page.getByRole('button', { name: 'Settings', exact: true }).first().click();
  await page.getByRole('dialog', { name: 'Settings' }).getByRole('tab', { name: section, exact: true }).click();
}

/** The studio as a keyboard user sees it: everything is found by role and name only. */
export class StudioPage {
  readonly page: Page;
  readonly message: Locator;
  readonly send: Locator;
  readonly stop: Locator;
  readonly threads: Locator;
  readonly files: Locator;
  readonly editor: Locator;
  /** Errors reported by the page that the test does not expect. */
  readonly problems: string[] = [];
  /** Errors that the page may report, by a part of their text. */
  readonly expectedProblems: string[] = [];

  constructor(page: Page) {
    this.page = page;
    this.message = page.getByRole('textbox', { name: 'Message', exact: true });
    this.send = page.getByRole('button', { name: 'Send', exact: true });
    this.stop = page.getByRole('button', { name: 'Stop', exact: true });
    this.threads = page.getByRole('navigation', { name: 'Threads' });
    this.files = page.getByRole('tree', { name: 'Files' });
    this.editor = page.getByRole('region', { name: 'Editor' });
    page.on('pageerror', (error) => this.#report(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.#report(`${message.text()} (${message.location().url})`);
    });
  }

  /**
   * Opens the studio in a new browser with these files in the workspace. `settings` are those that the user made at
   * another time; without them, the model and mode are selected on the page.
   */
  async open(
    options: StartingData & {
      model?: string;
      toolCalling?: ToolCalling;
      /** The thread that is shown. */
      thread?: string;
      /** The URL of the studio, if it is not at the worker's bench. */
      url?: string;
    } = {},
  ): Promise<void> {
    await prepareWorkspace(this.page, options, options.url);
    await this.page.goto(`${options.url ?? '/'}${options.thread === undefined ? '' : `?thread=${options.thread}`}`);
    await expect(this.message).toBeVisible();
    if (options.settings !== undefined) return;
    await this.choose('Model', options.model ?? 'scripted');
    if (options.toolCalling !== undefined) await this.choose('Tool calling', options.toolCalling);
  }

  /** Selects an option of a combobox by the beginning of its name. That for tool calling is in the panel of tools. */
  async choose(combobox: string, option: string): Promise<void> {
    const isInPanel = combobox === 'Tool calling';
    if (isInPanel) await this.openTools();
    await this.page.getByRole('combobox', { name: combobox, exact: true }).click();
    await this.page.getByRole('option', { name: new RegExp(`^${option}`, 'i') }).click();
    if (isInPanel && (await this.toolsPanel.isVisible())) await this.page.keyboard.press('Escape');
  }

  /** The panel that shows which tools the model may use in the thread, and how. */
  get toolsPanel(): Locator {
    return this.page.getByRole('dialog', { name: 'Tools', exact: true });
  }

  async openTools(): Promise<void> {
    if (await this.toolsPanel.isVisible()) return;
    await this.page.getByRole('button', { name: /^Tools: / }).click();
    await expect(this.toolsPanel).toBeVisible();
  }

  /** Waits until the panel of tools says how the model gets its tools. */
  async expectToolCalling(text: string): Promise<void> {
    await this.openTools();
    await expect(this.page.getByRole('combobox', { name: 'Tool calling', exact: true })).toHaveText(text);
    await this.page.keyboard.press('Escape');
    await expect(this.toolsPanel).toBeHidden();
  }

  /** Turns a switch in the panel of tools on or off, such as that of a toolset. */
  async toggleTool(name: string): Promise<void> {
    await this.openTools();
    await this.toolsPanel.getByRole('switch', { name, exact: true }).click();
    await this.page.keyboard.press('Escape');
  }

  /** Opens the settings at a section. */
  async openSettings(section: string): Promise<void> {
    await openSettings(this.page, section);
  }

  async say(text: string): Promise<void> {
    await this.message.fill(text);
    await this.message.press('Enter');
  }

  /** The card of the n-th call with that name, counted from 0. */
  call(name: string, index = 0): Locator {
    return this.page.getByRole('group', { name: `Tool call: ${name}`, exact: true }).nth(index);
  }

  /** Allows a call, and all later calls of its tool in the thread. */
  get allow(): Locator {
    return this.page.getByRole('button', { name: 'Allow in this thread', exact: true });
  }

  get allowOnce(): Locator {
    return this.page.getByRole('button', { name: 'Allow once', exact: true });
  }

  get deny(): Locator {
    return this.page.getByRole('button', { name: 'Deny', exact: true });
  }

  /** Takes back what a notice says, such as that a thread was deleted. */
  get undo(): Locator {
    return this.page.getByRole('status').getByRole('button', { name: 'Undo', exact: true });
  }

  /** The assistant's messages. */
  get answers(): Locator {
    return this.page.getByRole('article', { name: 'Assistant' });
  }

  get threadId(): string {
    return new URL(this.page.url()).searchParams.get('thread') ?? '';
  }

  /** Waits until this many turns have settled. Answers calls that ask for permission, if told how. */
  async settled(turns = 1, options: { whenAsked?: 'allow' | 'deny'; timeout?: number } = {}): Promise<void> {
    const button = options.whenAsked === undefined ? undefined : this[options.whenAsked];
    await expect(async () => {
      // The question may have been answered and removed in the meantime.
      if (await button?.isVisible()) await button?.click({ timeout: 1_000 }).catch(() => undefined);
      const all = await readTurns(this.page, this.threadId, { parts: false });
      expect(all.filter(({ status }) => !['running', 'waiting'].includes(status.type))).toHaveLength(turns);
    }).toPass({ timeout: options.timeout ?? 30_000, intervals: [50, 100] });
  }

  /** The open thread's messages as they are stored, oldest first, including all branches. */
  messages(): Promise<Message[]> {
    return readMessages(this.page, this.threadId);
  }

  turns(): Promise<AssistantMessage[]> {
    return readTurns(this.page, this.threadId);
  }

  workspace(): Promise<Map<string, string>> {
    return readWorkspace(this.page);
  }

  #report(text: string): void {
    if (!this.expectedProblems.some((part) => text.includes(part))) this.problems.push(text);
  }
}
