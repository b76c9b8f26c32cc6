import Turndown from 'turndown';

/**
 * Returns the content of an element, without the element itself, as Markdown. What is hidden must have been removed, and the
 * addresses of links and images must be absolute, or missing. `escapes`: whether characters of the text that mean something in
 * Markdown are escaped.
 */
export function toMarkdown(element: Element, { escapes = true } = {}): string {
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', hr: '---' });
  if (!escapes) turndown.escape = (text) => text;
  turndown.addRule('link', {
    filter: 'a',
    replacement(content, node) {
      const href = (node as Element).getAttribute('href');
      const text = content.trim().replace(/\s*\n\s*/g, ' ');
      return text === '' || href === null ? text : `[${text}](${href})`;
    },
  });
  turndown.addRule('image', {
    filter: 'img',
    replacement(_, node) {
      const source = (node as Element).getAttribute('src');
      const alt = ((node as Element).getAttribute('alt') ?? '').replace(/[[\]\s]+/g, ' ').trim();
      return source === null ? alt : `![${alt}](${source})`;
    },
  });
  turndown.addRule('cell', {
    filter: ['td', 'th'],
    replacement: (content) =>
      ` ${content
        .trim()
        .replace(/\s*\n\s*/g, ' ')
        .replaceAll('|', '\\|')} |`,
  });
  turndown.addRule('row', {
    filter: 'tr',
    replacement(content, node) {
      const row = `|${content}\n`;
      const cells = [...(node as Element).children].length;
      return isFirstRow(node as Element) ? `${row}|${' --- |'.repeat(cells)}\n` : row;
    },
  });
  turndown.addRule('rows', { filter: ['tbody', 'thead', 'tfoot'], replacement: (content) => content });
  turndown.addRule('table', {
    filter: 'table',
    replacement: (content) => `\n\n${content.replace(/\n{2,}/g, '\n').trim()}\n\n`,
  });
  return turndown
    .turndown(element as HTMLElement)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function isFirstRow(row: Element): boolean {
  if (row.previousElementSibling !== null) return false;
  const group = row.parentElement;
  return group === null || group.nodeName === 'TABLE' || group.previousElementSibling?.nodeName !== 'THEAD';
}
