import { type HiddenText, hiddenTextOf, type WindowedText, windowedTextOf } from '#components/ui/windowed-text.ts';

/** Elements that begin a new line of text. */
const BLOCKS =
  'address,article,blockquote,dd,div,dl,dt,figure,h1,h2,h3,h4,h5,h6,hr,li,ol,p,pre,section,table,td,th,tr,ul';

/** The place of a match: its range in the document or, if its text is not shown yet, a function that shows more of it. */
export type MatchPlace = { range: Range; show?: never } | { range?: never; show(): void };

type Segment = { start: number } & ({ node: Text } | { windowed: WindowedText } | { hidden: HiddenText });

/**
 * Yields the places of the matches of a pattern with the flag `g` in the text of an element, including text that is not
 * shown yet, in order. A match may span several elements.
 */
export function* placesIn(element: Element, pattern: RegExp): Generator<MatchPlace> {
  const { segments, text } = segmentsOf(element);
  for (const { index, 0: match } of text.matchAll(pattern)) {
    const from = segmentAt(segments, index);
    const to = segmentAt(segments, index + match.length - 1);
    if (from === undefined || to === undefined) continue;
    if ('hidden' in from) yield { show: () => from.hidden.show() };
    else if ('windowed' in from) yield placeInLine(from.windowed, index - from.start, match.length);
    else if ('node' in to)
      yield { range: rangeOf(from.node, index - from.start, to.node, index + match.length - to.start) };
  }
}

/**
 * The text of an element, with a line break wherever a block ends, and the segments that say which node each part of the
 * text comes from. Leaves out elements with `data-unsearched`: they have the studio's own text, not the message's.
 */
function segmentsOf(element: Element): { segments: Segment[]; text: string } {
  const segments: Segment[] = [];
  let text = '';
  let block: Element | null | undefined;
  const collect = (node: Node): void => {
    if (node instanceof Element && node.hasAttribute('data-unsearched')) return;
    const windowed = node instanceof Element ? windowedTextOf(node) : undefined;
    const hidden = node instanceof Element ? hiddenTextOf(node) : undefined;
    if (windowed === undefined && hidden === undefined && !(node instanceof Text)) {
      for (const child of node.childNodes) collect(child);
      return;
    }
    const around = node.parentElement?.closest(BLOCKS);
    if (block !== undefined && around !== block) text += '\n';
    block = around;
    const start = text.length;
    if (windowed !== undefined) segments.push({ start, windowed });
    else if (hidden !== undefined) segments.push({ start, hidden });
    else if (node instanceof Text) segments.push({ start, node });
    text += windowed?.text() ?? hidden?.text() ?? node.nodeValue ?? '';
  };
  collect(element);
  return { segments, text };
}

/** The segment at an offset in the text: the last one that begins at or before it. Undefined if there are no segments. */
function segmentAt<Any extends { start: number }>(segments: readonly Any[], position: number): Any | undefined {
  let [low, high] = [0, segments.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((segments[middle]?.start ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return segments[low];
}

/**
 * The place of a match at the offset `at` of a text of which only some lines are rendered. If a match spans several lines,
 * its place is only the part in the first line.
 */
function placeInLine(windowed: WindowedText, at: number, length: number): MatchPlace {
  const { line, column } = windowed.positionOf(at);
  const element = windowed.lineAt(line);
  const { segments } = element === null ? { segments: [] } : segmentsOf(element);
  const [from, to] = [segmentAt(segments, column), segmentAt(segments, column + length - 1)];
  if (from === undefined || to === undefined || !('node' in from && 'node' in to))
    return { show: () => windowed.showLine(line) };
  return { range: rangeOf(from.node, column - from.start, to.node, column + length - to.start) };
}

function rangeOf(from: Text, start: number, to: Text, end: number): Range {
  const range = document.createRange();
  range.setStart(from, Math.min(start, from.length));
  range.setEnd(to, Math.min(end, to.length));
  return range;
}

const SCROLLS = /auto|scroll/;

/**
 * Scrolls the elements around a range, up to `scroller`, until the range is in the middle of each. Elements in which it is
 * already in view are not scrolled.
 */
export function scrollToRange(range: Range, scroller: HTMLElement): void {
  let element = range.startContainer.parentElement;
  for (; element !== null; element = element.parentElement) {
    const box = range.getBoundingClientRect();
    const view = element.getBoundingClientRect();
    const { overflowX, overflowY } = getComputedStyle(element);
    if (SCROLLS.test(overflowY) && (box.top < view.top || box.bottom > view.bottom))
      element.scrollTop += box.top - view.top - view.height / 2;
    if (SCROLLS.test(overflowX) && (box.left < view.left || box.right > view.right))
      element.scrollLeft += box.left - view.left - view.width / 2;
    if (element === scroller) return;
  }
}
