/**
 * The limits of a catalogue, which is what a run offers to its model. Catalogues come from browsers and tool servers, so the
 * server checks them.
 */
export const CATALOGUE_LIMITS = {
  /** The number of tools. */
  tools: 256,
  /** A name, in characters. */
  name: 128,
  /** A description, in characters. */
  description: 20_000,
  /** The most other names of one tool. */
  aliases: 32,
  /** The most examples of one tool. */
  examples: 16,
  /** The number of fragments; each explains a toolset. */
  fragments: 64,
  /** The number of the project's files with instructions for the model. */
  instructions: 16,
  /** One of the project's files with instructions, in characters. */
  instruction: 20_000,
  /** The number of skills of the project. */
  skills: 64,
  /** The description of a skill, in characters. */
  skill: 300,
  /** The whole catalogue as JSON text, in characters. */
  length: 2_000_000,
  /** The tools alone as JSON text, in characters; this leaves room for the fragments. */
  toolsLength: 1_900_000,
  /** Nesting of objects and lists in the catalogue, in levels. */
  depth: 40,
  /** The number of values in the catalogue, objects and lists included. */
  values: 200_000,
} as const;

/** The limits of a result of an external tool: its depth, and the number of values in it. */
export const CONTENT_LIMITS = {
  /** Nesting of objects and lists in the result, in levels. */
  depth: 100,
  /** The number of values in the result, objects and lists included. */
  values: 1_000_000,
} as const;

/** The limits of the user's rules about paths: their number, and the length of a pattern. */
export const PATH_RULE_LIMITS = {
  /** The number of rules. */
  rules: 200,
  /** A pattern, in characters. */
  pattern: 500,
} as const;
