// Matchers and locators of Playwright, for all tests in a browser.
import { expect } from 'vitest';
import { type Locator, locators } from 'vitest/browser';

interface TextMatchers<R> {
  /** Asserts that the text of an element contains a text, or matches a pattern; white space counts as one space. */
  toContainText(expected: string | RegExp): R;
  /** Asserts that the whole text of an element equals a text, or matches a pattern; white space counts as one space. */
  toHaveText(expected: string | RegExp): R;
}

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void>, T> extends TextMatchers<R> {}
}

declare module 'vitest/browser' {
  interface LocatorSelectors {
    /** Locates elements by a CSS selector, for those without a role, such as lines of the editor. */
    locate(selector: string): Locator;
  }
}

locators.extend({ locate: (selector: string) => `css=${selector}` });

const textOf = (element: Element): string => (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim();

expect.extend({
  toContainText(element: Element, expected: string | RegExp) {
    const text = textOf(element);
    const pass = typeof expected === 'string' ? text.includes(expected.replaceAll(/\s+/g, ' ')) : expected.test(text);
    return {
      pass,
      message: () => `expected the text${this.isNot ? ' not' : ''} to contain ${String(expected)}: ${text}`,
    };
  },
  toHaveText(element: Element, expected: string | RegExp) {
    const text = textOf(element);
    const pass = typeof expected === 'string' ? text === expected.replaceAll(/\s+/g, ' ').trim() : expected.test(text);
    return { pass, message: () => `expected the text${this.isNot ? ' not' : ''} to be ${String(expected)}: ${text}` };
  },
});
