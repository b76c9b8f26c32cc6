/**
 * Limits of the parser, in characters unless stated otherwise. Most of them bound the text that is held back or kept.
 */
export const PARSER_LIMITS = {
  /** Text that looks like the beginning of a call, until it is certain to be one. */
  undecided: 2_000,
  /** A call that is only quoted. It is read so that nothing inside it is mistaken for a call. */
  shown: 20_000,
  /** The text that is kept on either side of a doubtful call. */
  surroundings: 200,
  /** The latest text, which is searched for a call at its end. */
  latest: 2_000,
  /** The distance after a quoted call within which the end of the quotation is looked for. */
  quotation: 200,
  /** A tool's or an argument's name. */
  name: 128,
  /** The text of an argument that the tool does not declare and that only its neighbors identify as one. */
  undeclared: 100,
  /** A tag with its attributes. */
  tag: 400,
  /** The number of tags in an empty block, one without calls. */
  emptyTags: 20,
  /** White space between the parts of a call. */
  space: 200,
  /** An HTML comment. */
  comment: 1_000,
  /** The distance after the beginning of an unreadable call within which a tool name is looked for. */
  unreadable: 400,
  /** Maximum nesting depth of envelopes of calls. */
  envelopes: 8,
  /** Maximum nesting depth of an argument's value, in levels. */
  depth: 200,
  /** The reasoning that is kept to be parsed again, in case the model writes nothing else. */
  reasoning: 1_000_000,
} as const;
