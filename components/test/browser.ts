import { expect, onTestFinished } from 'vitest';
import { commands, type Locator, page } from 'vitest/browser';

/** A file for a file chooser in a test. */
export interface ChosenFile {
  name: string;
  content: string | Uint8Array;
  mimeType?: string;
}

/** A file as it is sent to the process that controls the browser. */
export interface SentFile {
  name: string;
  mimeType: string;
  base64: string;
}

/** The media settings of the browser, as Playwright's `emulateMedia` takes them. */
export interface Media {
  colorScheme?: 'light' | 'dark' | null;
  reducedMotion?: 'reduce' | 'no-preference' | null;
  media?: 'screen' | 'print' | null;
  forcedColors?: 'active' | 'none' | null;
}

declare module 'vitest/browser' {
  interface BrowserCommands {
    keyboardAction(action: 'press' | 'type' | 'down' | 'up' | 'insertText', text: string): Promise<void>;
    mouseMove(x: number, y: number, steps: number): Promise<void>;
    mouseButton(action: 'down' | 'up', button: 'left' | 'right' | 'middle'): Promise<void>;
    mouseWheel(x: number, y: number): Promise<void>;
    emulateMedia(media: Media): Promise<void>;
    expectFileChooser(files: readonly SentFile[]): Promise<void>;
    fileChooserAnswered(): Promise<void>;
    evaluateInFrame(frame: string, expression: string): Promise<unknown>;
    watchErrors(): Promise<void>;
    watchedErrors(): Promise<string[]>;
    takeClipboard(): Promise<void>;
    releaseClipboard(): Promise<void>;
    shownText(selector: string): Promise<string | null>;
    recordRequests(text: string): Promise<void>;
    recordedRequests(): Promise<string[]>;
  }
}

/** Presses real keys, by Playwright's names such as `Control+k`. They go to the element with the focus. */
export const keyboard = {
  press: (keys: string): Promise<void> => commands.keyboardAction('press', keys),
  type: (text: string): Promise<void> => commands.keyboardAction('type', text),
  insertText: (text: string): Promise<void> => commands.keyboardAction('insertText', text),
  down: (key: string): Promise<void> => commands.keyboardAction('down', key),
  up: (key: string): Promise<void> => commands.keyboardAction('up', key),
};

export async function focus(locator: Locator): Promise<void> {
  (await locator.findElement()).focus();
}

/** Focuses an element, then presses keys. */
export async function press(locator: Locator, keys: string): Promise<void> {
  await focus(locator);
  await keyboard.press(keys);
}

/** Focuses an element, then types. */
export async function typeIn(locator: Locator, text: string): Promise<void> {
  await focus(locator);
  await keyboard.type(text);
}

/** Moves the real mouse. Positions are in CSS pixels of the test's document. */
export const mouse = {
  move: (x: number, y: number, { steps = 1 } = {}): Promise<void> => commands.mouseMove(x, y, steps),
  down: (button: 'left' | 'right' | 'middle' = 'left'): Promise<void> => commands.mouseButton('down', button),
  up: (button: 'left' | 'right' | 'middle' = 'left'): Promise<void> => commands.mouseButton('up', button),
  wheel: (x: number, y: number): Promise<void> => commands.mouseWheel(x, y),
};

/** Lets the page draw that many frames. */
export async function frames(count: number): Promise<void> {
  for (let frame = 0; frame < count; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
}

/** Changes how the browser shows pages, until the test ends. */
export async function emulateMedia(media: Media): Promise<void> {
  onTestFinished(() =>
    commands.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference', media: null, forcedColors: null }),
  );
  await commands.emulateMedia(media);
}

/** Changes the size of the window, in CSS pixels, until the test ends. */
export async function resizeWindow(width: number, height: number): Promise<void> {
  const { innerWidth, innerHeight } = window;
  onTestFinished(() => page.viewport(innerWidth, innerHeight));
  await page.viewport(width, height);
}

/**
 * The text of an element; null while it is not visible. Unlike `expect.element`, this also works in frames of other origins,
 * found with `page.frameLocator`.
 */
export const shownText = (locator: Locator): Promise<string | null> => commands.shownText(locator.selector);

/** Runs an action that opens a file chooser, and chooses these files in it. */
export async function chooseFiles(files: readonly ChosenFile[], open: () => Promise<unknown>): Promise<void> {
  await commands.expectFileChooser(
    files.map(({ name, content, mimeType = 'application/octet-stream' }) => ({
      name,
      mimeType,
      base64: (typeof content === 'string' ? new TextEncoder().encode(content) : content).toBase64(),
    })),
  );
  await open();
  await commands.fileChooserAnswered();
}

/** Runs a function in a frame's document, even of another origin. It is sent as text, so it cannot use anything around it. */
export const evaluateIn = async <T>(frame: Locator, read: () => T): Promise<Awaited<T>> =>
  (await commands.evaluateInFrame(frame.selector, `(${read})()`)) as Awaited<T>;

/** Runs an action that copies, and returns the text. The browser has one clipboard, so other pages wait meanwhile. */
export async function copiedBy(copy: () => Promise<unknown>): Promise<string> {
  await commands.takeClipboard();
  try {
    const before = `nothing yet ${crypto.randomUUID()}`;
    await navigator.clipboard.writeText(before);
    await copy();
    await expect.poll(() => navigator.clipboard.readText()).not.toBe(before);
    return await navigator.clipboard.readText();
  } finally {
    await commands.releaseClipboard();
  }
}

/** Puts files into a file input directly. For large files, a chooser would take long. */
export async function giveFiles(field: Locator, files: readonly File[]): Promise<void> {
  const input = (await field.findElement()) as HTMLInputElement;
  const given = new DataTransfer();
  for (const file of files) given.items.add(file);
  input.files = given.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Runs an action, and returns the file that it offers as a download. */
export async function downloadOf(offer: () => Promise<unknown>): Promise<{ name: string; blob: Blob }> {
  const clicked = Promise.withResolvers<HTMLAnchorElement>();
  const { click } = HTMLAnchorElement.prototype;
  // The link is never in the document, so a listener would not see its click.
  HTMLAnchorElement.prototype.click = function () {
    if (this.hasAttribute('download')) clicked.resolve(this);
    else click.call(this);
  };
  try {
    await offer();
    const link = await clicked.promise;
    return { name: link.download, blob: await (await fetch(link.href)).blob() };
  } finally {
    HTMLAnchorElement.prototype.click = click;
  }
}

/** The addresses to which this browser sends a text, in a header or a body, while `act` runs. */
export async function receiversOf(text: string, act: () => Promise<unknown>): Promise<string[]> {
  let receivers: string[] = [];
  await commands.recordRequests(text);
  try {
    await act();
  } finally {
    receivers = await commands.recordedRequests();
  }
  return receivers;
}

/** The addresses that the page and its frames request while `act` runs, including refused ones. */
export const requestsDuring = (act: () => Promise<unknown>): Promise<string[]> => receiversOf('', act);
