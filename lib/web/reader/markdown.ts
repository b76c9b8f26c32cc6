import Turndown from 'turndown';

/** An element as Markdown. Links are whole addresses; those that are none of the web are text. */
export function toMarkdown(element: Element, base: URL): string {
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', hr: '---' });
  const addressOf = (value: string | null): string | undefined => {
    if (value === null || !URL.canParse(value, base)) return undefined;
    const { protocol, href } = new URL(value, base);
    return /^(?:https?|mailto):$/.test(protocol) ? href.replace(/[()<>\s]/g, encodeURIComponent) : undefined;
  };
  turndown.addRule('link', {
    filter: 'a',
    replacement(content, node) {
      const href = addressOf((node as Element).getAttribute('href'));
      const text = content.trim().replace(/\s*\n\s*/g, ' ');
      return text === '' || href === undefined ? text : `[${text}](${href})`;
    },
  });
  turndown.addRule('image', {
    filter: 'img',
    replacement(_, node) {
      const source = addressOf((node as Element).getAttribute('src'));
      const alt = ((node as Element).getAttribute('alt') ?? '').replace(/[[\]\s]+/g, ' ').trim();
      return source === undefined ? alt : `![${alt}](${source})`;
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
