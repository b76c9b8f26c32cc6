import { computeAccessibleName, getRole } from 'dom-accessibility-api';

const LINES_MAX = 400;
const CHARACTERS_MAX = 16_000;
const TEXT_MAX = 300;

/** Roles that carry no information themselves; only their content does. */
const PLAIN = new Set(['generic', 'presentation', 'none', 'paragraph', 'LineBreak', 'StaticText']);

/**
 * Returns the page as assistive technology presents it, one line per element, indented; with a selector, only the matching
 * elements, with their text. The first line has the page's title. A long outline is cut, with a note at its end. If nothing
 * matches the selector, returns a sentence that says so. Runs in the page's window.
 */
export function outline(selector?: string): string {
  const roots = selector === undefined ? [document.body] : [...document.querySelectorAll(selector)];
  if (roots.length === 0) return `Nothing on the page matches the selector ${JSON.stringify(selector)}.`;
  const lines = [`title: ${JSON.stringify(document.title)}`];
  let size = 0;
  let left = 0;
  const add = (line: string) => {
    size += line.length;
    if (lines.length < LINES_MAX && size < CHARACTERS_MAX) lines.push(line);
    else left++;
  };
  for (const root of roots) {
    if (selector !== undefined) add(`text: ${JSON.stringify(cut(shownText(root), TEXT_MAX * 10))}`);
    visit(root, 0, add);
  }
  if (left > 0)
    lines.push(`[Not shown: ${left} more ${left === 1 ? 'line' : 'lines'}. Use a selector to see part of the page.]`);
  if (lines.length === 1) lines.push('The page is empty.');
  return lines.join('\n');
}

function visit(element: Element, depth: number, add: (line: string) => void): void {
  if (!isShown(element)) return;
  const role = getRole(element);
  const name = role === null || PLAIN.has(role) ? '' : cut(computeAccessibleName(element), TEXT_MAX);
  const isPlain = role === null || PLAIN.has(role);
  let below = depth;
  if (!isPlain) {
    add(`${'  '.repeat(depth)}- ${role}${name === '' ? '' : ` ${JSON.stringify(name)}`}${statesOf(element)}`);
    below++;
  }
  for (const child of element.shadowRoot?.childNodes ?? element.childNodes) {
    if (child instanceof Element) visit(child, below, add);
    else if (child.nodeType === Node.TEXT_NODE) {
      const text = cut(child.textContent?.replace(/\s+/g, ' ').trim() ?? '', TEXT_MAX);
      // For a button labeled "Save", the name already has the text.
      if (text !== '' && !name.includes(text)) add(`${'  '.repeat(below)}- text ${JSON.stringify(text)}`);
    }
  }
}

function isShown(element: Element): boolean {
  if (/^(script|style|template|noscript|head)$/i.test(element.tagName)) return false;
  if (element.getAttribute('aria-hidden') === 'true') return false;
  const { display, visibility } = getComputedStyle(element);
  return display !== 'none' && visibility !== 'hidden';
}

function statesOf(element: Element): string {
  const states: string[] = [];
  const level = /^H([1-6])$/.exec(element.tagName)?.[1];
  if (level !== undefined) states.push(`level=${level}`);
  if (element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type)) {
    if (element.checked) states.push('checked');
  } else if (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  ) {
    if (element.value !== '') states.push(`value=${JSON.stringify(cut(element.value, TEXT_MAX))}`);
  }
  if (element.matches(':disabled')) states.push('disabled');
  for (const state of ['expanded', 'selected', 'pressed', 'current', 'checked'])
    if (element.hasAttribute(`aria-${state}`)) states.push(`${state}=${element.getAttribute(`aria-${state}`)}`);
  if (element instanceof HTMLCanvasElement) states.push(`${element.width}×${element.height}`);
  return states.length === 0 ? '' : ` [${states.join(', ')}]`;
}

const shownText = (element: Element): string =>
  (element instanceof HTMLElement ? element.innerText : (element.textContent ?? '')).replace(/\s+/g, ' ').trim();

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text);
