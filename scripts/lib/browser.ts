import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type LaunchOptions } from '@playwright/test';

/** A Chromium for tests; without a path it is Playwright's own. */
export interface FoundBrowser {
  source: 'PLAYWRIGHT_CHROMIUM' | 'playwright' | 'system';
  path?: string;
}

/** A headless shell comes first: it draws no windows, and tests take about a quarter less time with it. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const FIXED = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Thrown if the browser that was asked for is none. */
export class BrowserError extends Error {
  override readonly name = 'BrowserError';
}

/** Finds the browser of `PLAYWRIGHT_CHROMIUM`, Playwright's own, or the system's. Throws `BrowserError`. */
export function findBrowser(env: NodeJS.ProcessEnv = process.env): FoundBrowser | undefined {
  const chosen = env.PLAYWRIGHT_CHROMIUM;
  if (chosen) {
    if (!isRunnable(chosen))
      throw new BrowserError(`PLAYWRIGHT_CHROMIUM is not an executable file: ${chosen}. Correct or unset it.`);
    return { source: 'PLAYWRIGHT_CHROMIUM', path: chosen };
  }
  if (existsSync(chromium.executablePath())) return { source: 'playwright' };
  const folders = (env.PATH ?? '').split(delimiter);
  const path = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...FIXED].find(isRunnable);
  return path === undefined ? undefined : { source: 'system', path };
}

/** Finds the Chromium of a desktop, which sets text otherwise than a headless shell. */
export const findDesktopBrowser = ({ PATH = '' }: NodeJS.ProcessEnv = process.env): string | undefined =>
  PATH.split(delimiter)
    .map((folder) => join(folder, 'chromium'))
    .find(isRunnable);

/**
 * Returns the options for starting the browser that is found. Frames of other sites have processes of their own, as in
 * Chrome on a desktop; a headless shell does not do that by itself.
 */
export function launchOptions(found = findBrowser()): Pick<LaunchOptions, 'executablePath'> & { args: string[] } {
  return { ...(found?.path !== undefined && { executablePath: found.path }), args: ['--site-per-process'] };
}

export function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
