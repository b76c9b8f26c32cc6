/**
 * Limits on the work of the page for one answer. Times are those of react-markdown on one core of a current laptop:
 * about 5 ms for 1,000 characters of prose, and 1 ms for 2,000 characters of code.
 */
export const MARKDOWN_LIMITS = {
  /** Characters outside of code in one block. A block with more is shown as plain text. */
  proseMax: 20_000,
  /** Characters of one block, including code in its lists and quotes. A longer block is shown as plain text. */
  blockMax: 200_000,
  /** Quotes and list items inside each other. A block with deeper ones is shown as plain text as a whole. */
  depthMax: 50,
  /** Elements `details` inside each other. A deeper one is shown as text. */
  detailsMax: 5,
  /** Runs of `*`, `_`, and `~`, and `[`, in one block. With more, it is plain text: parsing some takes quadratic time. */
  marksMax: 1_000,
  /** Characters at the beginning of a line that decide what kind of line it is. */
  lineHeadMax: 1_000,
  /** Characters of the data in a data URL. Longer ones are shortened; nothing is loaded from them anyway. */
  dataUrlMax: 500,
  /** Characters of a link's text without spaces, such as an address. Longer ones are shortened. */
  linkTextMax: 200,
  /** The parts of a table that are shown at first. */
  tablePartsShown: 2,
  /** The parts of a list that are shown at first. */
  listPartsShown: 10,
  /** The characters of plain text that are shown at first. */
  plainShown: 10_000,
  /** The items of a list that are parsed together, as one part of a long list. */
  partItems: 20,
  /** The rows of a table that are parsed together, as one part of a long table. */
  partRows: 50,
  /** The characters after which a part of a list or table ends, even with fewer items or rows. */
  partCharacters: 4_000,
  /** Parts that “Show all” adds at a time. */
  partsPerStep: 10,
  /** Plain text is laid out in pieces of about this many characters. */
  plainPiece: 5_000,
  /** The blocks after which a group ends. The blocks of a group are rendered together. */
  groupBlocks: 40,
  /** The characters after which a group ends, even with fewer blocks. */
  groupCharacters: 8_000,
  /** The first groups of an answer, which are rendered at once. The others are rendered when they come near the viewport. */
  groupsAtOnce: 5,
} as const;

export const FORMULA_LIMITS = {
  /** The largest size that a formula may give to a part of it, in em. Larger ones are cut to this. */
  sizeMax: 20,
  /** Expansions of macros. A formula with more is shown as it was written. */
  expansionsMax: 1_000,
  /** Expansions in a formula that defines macros of its own. */
  ownExpansionsMax: 20,
  /** The elements of a drawn formula, and the levels on which they are nested. Beyond that, it is shown as it was written. */
  elementsMax: 20_000,
  depthMax: 200,
} as const;

export const CODE_LIMITS = {
  /** Characters of code that is highlighted; longer code is not. The worker takes about 2 seconds for this much TypeScript. */
  highlightMax: 400_000,
  /** Characters that are sent to the worker at a time. */
  pieceMax: 20_000,
  /** Characters of a line. A longer line is shown up to here, and copied whole. */
  lineMax: 5_000,
  /** The time limit for a line, in milliseconds; its rest then stays plain. The first line also compiles the grammar. */
  lineMs: 5_000,
  /** The lines up to which code is rendered as a whole. Of longer code, only the lines near the visible part are rendered. */
  linesAtOnce: 200,
  /**
   * The characters up to which code is rendered as a whole. Of longer code, only the lines near the visible part are
   * rendered.
   */
  charactersAtOnce: 40_000,
  /** More lines than these are not shown: a browser lays out only about 33 million pixels. */
  linesMax: 1_000_000,
  /** The time limit for one piece of code, in milliseconds. After that, the worker is terminated. */
  timeoutMs: 20_000,
  /** The number of times that code is tried again if the worker or the grammar cannot be loaded. */
  retries: 5,
  /** The time before that, in milliseconds. */
  retryAfterMs: 10_000,
} as const;
