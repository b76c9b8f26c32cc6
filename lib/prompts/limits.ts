/** What the parser bounds, in characters unless said otherwise. Each bound is on what it would otherwise hold back. */
export const PARSER_LIMITS = {
  /** The most that may look like the beginning of a call without being one for sure. */
  undecided: 2_000,
  /** A call that is only quoted, and is read so that nothing inside it is taken for one. */
  shown: 20_000,
  /** What is kept of the text on either side of a doubtful call. */
  surroundings: 200,
  /** How far behind a quoted call the end of its quotation is looked for. */
  quotation: 200,
  /** A tool's or an argument's name. */
  name: 128,
  /** The text of an argument that its tool does not have, where nothing but its neighbours tell that it is one. */
  undeclared: 100,
  /** A tag with its attributes. */
  tag: 400,
  /** How many tags a block without any call may consist of. */
  emptyTags: 20,
  /** White space between the parts of a call. */
  space: 200,
  /** A comment of HTML. */
  comment: 1_000,
  /** How far behind the beginning of a call that could not be read its tool's name is looked for. */
  unreadable: 400,
  /** How deep an argument's value may be nested, in levels. */
  depth: 200,
  /** What the model wrote inside reasoning and may be read once more, when it wrote nothing else. */
  reasoning: 1_000_000,
} as const;
