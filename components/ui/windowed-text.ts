/** A text of many lines, of which an element shows only some at a time. */
export interface WindowedText {
  text(): string;
  /** The line and the column of an offset in the text, both from 0. */
  positionOf(offset: number): { line: number; column: number };
  /** The offset of a column in a line; of the line's end if it is shorter. */
  offsetOf(line: number, column: number): number;
  /** A line's element; null while it is not in the document. */
  lineAt(index: number): Element | null;
  /** Scrolls to a line, which is in the document soon after. */
  showLine(index: number): void;
}

/** A text of which nothing is in the document, or only the beginning, in its raw form. */
export interface HiddenText {
  text(): string;
  /** Shows it, or more of it. */
  show(): void;
}

const windowed = new WeakMap<Element, WindowedText>();

/** Lets searches find the whole text of an element. Returns what takes that back. */
export function registerWindowedText(element: Element, text: WindowedText): () => void {
  windowed.set(element, text);
  return () => windowed.delete(element);
}

/** The whole text of an element; undefined if all of it is in the document. */
export const windowedTextOf = (element: Element): WindowedText | undefined => windowed.get(element);

const hidden = new WeakMap<Element, HiddenText>();

/** Lets searches find a text where an element stands for it. Returns what takes that back. */
export function registerHiddenText(element: Element, text: HiddenText): () => void {
  hidden.set(element, text);
  return () => hidden.delete(element);
}

/** The text that an element stands for; undefined if it shows its own. */
export const hiddenTextOf = (element: Element): HiddenText | undefined => hidden.get(element);
