import { readFile } from 'node:fs/promises';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';

/** The number of failed tests of a run whose pages are printed, and of lines of each. */
const LIMITS = { tests: 4, lines: 60 };

/**
 * Prints the accessibility tree of the page in which a test failed: of a run on another machine, often nothing but its output
 * is left.
 */
export default class PageOnFailure implements Reporter {
  #left = LIMITS.tests;
  readonly #printed: Promise<void>[] = [];

  onTestEnd(test: TestCase, { attachments }: TestResult): void {
    if (test.outcome() !== 'unexpected') return;
    const path = attachments.find(({ name }) => name === 'error-context')?.path;
    if (path === undefined || this.#left-- <= 0) return;
    this.#printed.push(this.#print(test.title, path));
  }

  async onEnd(): Promise<void> {
    await Promise.all(this.#printed);
  }

  printsToStdio(): boolean {
    return false;
  }

  async #print(title: string, path: string): Promise<void> {
    const tree = /```yaml\n(.*?)```/su.exec(await readFile(path, 'utf8').catch(() => ''))?.[1];
    if (tree === undefined) return;
    const lines = tree.trimEnd().split('\n');
    const shown = lines.slice(0, LIMITS.lines);
    const left = lines.length - shown.length;
    console.log(
      [`The page when “${title}” failed:`, ...shown, ...(left > 0 ? [`… ${left} more lines`] : [])].join('\n'),
    );
  }
}
