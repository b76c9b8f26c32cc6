import { expect } from 'vitest';
import { commands, page } from 'vitest/browser';
import { evaluateIn } from '#components/test/browser.ts';
import { test as base } from '#components/test/studio-test.ts';

/** The time limit for a previewed page to be built and show something, in milliseconds. This includes loading the compiler. */
const BUILT_WITHIN_MS = 30_000;

/** The preview pane in a test. The previewed page has another origin, so it is read from outside of the browser. */
export class Preview {
  readonly pane = page.getByRole('region', { name: 'Preview' });
  /** The frame of the previewed page. While the page is rebuilt, there are two; the last is the new one. */
  readonly frame = this.pane.locate('iframe').last();
  /** The previewed page, for actions only. */
  readonly page = page.frameLocator(this.frame);
  /** Parts of the texts of errors that the previewed page may report. */
  readonly expectedErrors: string[] = [];

  async show(): Promise<void> {
    await page.getByRole('tab', { name: 'Preview' }).click();
  }

  async showConsole(): Promise<void> {
    await this.pane.getByRole('button', { name: 'Page console' }).click();
  }

  /** Runs a function in the previewed page. It is sent as text, so it cannot use anything around it. */
  evaluate<T>(read: () => T): Promise<Awaited<T>> {
    return evaluateIn(this.frame, read);
  }

  /** Waits until the previewed page shows a text. */
  async expectText(text: string): Promise<void> {
    await this.expectValue(() => document.body.innerText).toContain(text);
  }

  /** An expectation, which is retried, of what a function returns in the previewed page. */
  expectValue<T>(read: () => T) {
    return expect.poll(() => this.evaluate(read), { timeout: BUILT_WITHIN_MS });
  }
}

/** A test of the preview. It also fails if the previewed page has reported an error. */
export const test = base.extend<{ preview: Preview }>({
  preview: async ({ studio: _ }, use) => {
    const preview = new Preview();
    await commands.watchErrors();
    await use(preview);
    const errors = await commands.watchedErrors();
    const unexpected = errors.filter((error) => !preview.expectedErrors.some((part) => error.includes(part)));
    expect(unexpected, 'errors of the page and its frames').toEqual([]);
  },
});
