/** The limits of a catalogue of tools. Catalogues come from browsers and tool servers, so the server checks them. */
export const CATALOGUE_LIMITS = {
  /** Tools. */
  tools: 256,
  /** A name, in characters. */
  name: 128,
  /** A description, in characters. */
  description: 20_000,
  /** Other names of one tool. */
  aliases: 32,
  /** Examples of one tool. */
  examples: 16,
  /** Fragments, that is, toolsets that are explained. */
  fragments: 64,
  /** Files of the project that instruct the model. */
  instructions: 16,
  /** One of them, in characters. */
  instruction: 20_000,
  /** Skills of the project. */
  skills: 64,
  /** The description of a skill, in characters. */
  skill: 300,
  /** The whole catalogue as JSON text, in characters. */
  length: 2_000_000,
  /** The tools in it, so that there is room for the fragments. */
  toolsLength: 1_900_000,
  /** Nesting of objects and lists in it, in levels. */
  depth: 40,
  /** Values in it, objects and lists included. */
  values: 200_000,
} as const;

/** The limits of a result of an external tool. */
export const CONTENT_LIMITS = {
  /** Nesting of objects and lists in a value, in levels. */
  depth: 100,
  /** Values in it, objects and lists included. */
  values: 1_000_000,
} as const;

/** The user's rules about paths. */
export const PATH_RULE_LIMITS = {
  /** Rules. */
  rules: 200,
  /** A pattern, in characters. */
  pattern: 500,
} as const;
