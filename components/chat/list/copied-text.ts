import { type WindowedText, windowedTextOf } from '#components/ui/windowed-text.ts';
import type { Message } from '#lib/messages/message.ts';
import { messageText } from './message-text.ts';
import { messageIdAt } from './rows.ts';

/**
 * The text of a selection that the browser cannot copy itself, because it includes a formula, or messages or lines of code
 * that are not in the document; undefined for other selections. `nameOf`: the heading of a message.
 */
export function copiedText(
  range: Range,
  scroller: HTMLElement,
  branch: readonly Message[],
  nameOf: (message: Message) => string,
): string | undefined {
  if (range.collapsed || branch.length === 0 || !range.intersectsNode(scroller)) return undefined;
  const indexAt = (node: Node, otherwise: number): number => {
    const id = messageIdAt(node);
    return id === undefined ? otherwise : branch.findIndex((message) => message.id === id);
  };
  const first = indexAt(range.startContainer, 0);
  const last = indexAt(range.endContainer, branch.length - 1);
  const rows = new Map(
    [...scroller.querySelectorAll<HTMLElement>('[data-message-id]')].map((row) => [row.dataset.messageId, row]),
  );
  const selected = branch.slice(first, last + 1);
  // The browser copies what is in the document.
  if (first === -1 || selected.every(({ id }) => isInDocument(rows.get(id), range))) return undefined;
  return selected
    .map((message, index) => {
      const isEnd = index === 0 || index === selected.length - 1;
      const row = isEnd ? rows.get(message.id) : undefined;
      const isPartial = row !== undefined && (row.contains(range.startContainer) || row.contains(range.endContainer));
      return isPartial ? textInside(row, range) : `${nameOf(message)}\n${messageText(message)}`;
    })
    .join('\n\n');
}

/**
 * Checks whether all selected text of a row is in the document, as it was written. A formula is not: the browser would copy
 * what is drawn.
 */
function isInDocument(row: HTMLElement | undefined, range: Range): boolean {
  if (row === undefined) return false;
  if ([...row.querySelectorAll('[data-written]')].some((formula) => range.intersectsNode(formula))) return false;
  return [...row.querySelectorAll('code')].every(
    (code) => !range.intersectsNode(code) || windowedTextOf(code) === undefined,
  );
}

/** The selected text inside a row, with a line break wherever a block ends. */
function textInside(row: HTMLElement, range: Range): string {
  const part = range.cloneRange();
  if (!row.contains(range.startContainer)) part.setStartBefore(row);
  if (!row.contains(range.endContainer)) part.setEndAfter(row);
  const isCopied = (node: Node) =>
    part.intersectsNode(node) && !isLayout(node) && node.parentElement?.closest('[data-unsearched]') === null;
  const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT, (node) =>
    isCopied(node) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT,
  );
  let copied = '';
  let block: Element | undefined;
  let long: Element | undefined;
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const code = node.parentElement?.closest('code');
    const windowed = code ? windowedTextOf(code) : undefined;
    if (code && windowed !== undefined) {
      if (code !== long) copied += `${copied === '' ? '' : '\n'}${textInsideCode(code, windowed, part)}`;
      long = code;
      continue;
    }
    const around = blockAround(node);
    if (block !== undefined && around !== block) copied += '\n';
    block = around;
    const start = node === part.startContainer ? part.startOffset : 0;
    const end = node === part.endContainer ? part.endOffset : undefined;
    copied += (node.nodeValue ?? '').slice(start, end);
  }
  return copied;
}

/** Checks whether a text node is only a line break between the elements of a list or a table. */
const isLayout = (node: Node): boolean =>
  /^\s*\n\s*$/.test(node.nodeValue ?? '') && !node.parentElement?.closest('pre');

/** The selected text of code of which only some lines are in the document. */
function textInsideCode(code: Element, windowed: WindowedText, range: Range): string {
  const offsetAt = (node: Node, offset: number): number => {
    const line = (node instanceof Element ? node : node.parentElement)?.closest<HTMLElement>('[data-line]');
    if (!line) {
      const next = node.childNodes[offset];
      return next instanceof HTMLElement ? windowed.offsetOf(Number(next.dataset.line), 0) : windowed.text().length;
    }
    const before = document.createRange();
    before.setStart(line, 0);
    before.setEnd(node, offset);
    return windowed.offsetOf(Number(line.dataset.line), before.toString().length);
  };
  const { startContainer, startOffset, endContainer, endOffset } = range;
  const start = code.contains(startContainer) ? offsetAt(startContainer, startOffset) : 0;
  const end = code.contains(endContainer) ? offsetAt(endContainer, endOffset) : undefined;
  return windowed.text().slice(start, end);
}

function blockAround(node: Node): Element | undefined {
  let element = node.parentElement;
  while (element !== null && getComputedStyle(element).display.startsWith('inline')) element = element.parentElement;
  return element ?? undefined;
}
