/**
 * Limits on the work of the page for one answer. Times are those of react-markdown on one core of a current laptop:
 * about 5 ms for 1,000 characters of prose, and 1 ms for 2,000 characters of code.
 */
export const MARKDOWN_LIMITS = {
  /** Characters outside of code in one block. A longer block is shown as plain text. */
  proseMax: 20_000,
  /** Characters of one block, the code in its lists and quotes included. */
  blockMax: 200_000,
  /** Quotes and list items inside each other. A deeper block is shown as plain text. */
  depthMax: 50,
  /** Runs of `*`, `_`, and `~`, or brackets, in one block: the parser takes quadratic time for some of them. */
  marksMax: 1_000,
  /** Characters at the beginning of a line that decide what kind of line it is. */
  lineHeadMax: 1_000,
  /** Longer data URLs are shortened; nothing is loaded from them anyway. */
  dataUrlMax: 500,
  /** The text of a link that only repeats a longer address is shortened. */
  linkTextMax: 200,
  /** Parts of a table and of a list that are shown at first, and characters of plain text. */
  tablePartsShown: 2,
  listPartsShown: 10,
  plainShown: 10_000,
  /** A long list or table is parsed in parts of this many items or rows, or of about so many characters. */
  partItems: 20,
  partRows: 50,
  partCharacters: 4_000,
  /** Parts that “Show all” adds at a time. */
  partsPerStep: 10,
  /** Plain text is laid out in pieces of about this many characters. */
  plainPiece: 5_000,
  /** Blocks that are rendered together, and the characters after which a group of them ends. */
  groupBlocks: 40,
  groupCharacters: 8_000,
  /** Groups of an answer that are rendered at once. The others are rendered when they come near the screen. */
  groupsAtOnce: 5,
} as const;

export const CODE_LIMITS = {
  /** Longer code is not highlighted. The worker takes about 2 seconds for as much TypeScript. */
  highlightMax: 400_000,
  /** Characters that are sent to the worker at a time. */
  pieceMax: 20_000,
  /** A line that is longer is shown up to here. Copying copies all of it. */
  lineMax: 5_000,
  /** The time limit for one line, in milliseconds: the first also compiles its grammar. The rest of it stays plain. */
  lineMs: 5_000,
  /** Code with more lines or characters renders only the lines near what is seen of it. */
  linesAtOnce: 200,
  charactersAtOnce: 40_000,
  /** More lines than these are not shown: a browser lays out only about 33 million pixels. */
  linesMax: 1_000_000,
  /** The time limit for one piece of code, in milliseconds. After it, the worker is ended. */
  timeoutMs: 20_000,
} as const;
