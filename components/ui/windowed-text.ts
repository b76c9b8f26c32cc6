/** A text of many lines, of which only some are in the document at a time, inside one element. */
export interface WindowedText {
  text(): string;
  /** The line and the column of an offset in the text, both from 0. */
  positionOf(offset: number): { line: number; column: number };
  /** The offset of a column in a line, both from 0; that of the line's end if the line is shorter. */
  offsetOf(line: number, column: number): number;
  /** A line's element; null while it is not in the document. */
  lineAt(index: number): Element | null;
  /** Scrolls to a line. Its element is in the document soon after. */
  showLine(index: number): void;
}

/** A text that is not in the document yet, or only its beginning is, without formatting. `text()`: all of it. */
export interface HiddenText {
  text(): string;
  /** Makes the text, or more of it, appear in the document. */
  show(): void;
}

const windowed = new WeakMap<Element, WindowedText>();

/** Lets searches and copying use the whole text of an element. Returns a function that takes this back. */
export function registerWindowedText(element: Element, text: WindowedText): () => void {
  windowed.set(element, text);
  return () => windowed.delete(element);
}

/** The whole text that was registered for an element that shows only some of its lines; undefined if none was. */
export const windowedTextOf = (element: Element): WindowedText | undefined => windowed.get(element);

const hidden = new WeakMap<Element, HiddenText>();

/** Lets searches find a hidden text in the place of the element that stands for it. Returns a function that takes this back. */
export function registerHiddenText(element: Element, text: HiddenText): () => void {
  hidden.set(element, text);
  return () => hidden.delete(element);
}

/** The hidden text that was registered for an element; undefined if there is none. */
export const hiddenTextOf = (element: Element): HiddenText | undefined => hidden.get(element);
