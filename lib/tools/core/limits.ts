/** What a catalogue of tools may contain. Catalogues come from browsers and tool servers, so the server checks them. */
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
  /** The whole catalogue as JSON text, in characters. */
  length: 2_000_000,
  /** Nesting of objects and lists in it, in levels. */
  depth: 40,
} as const;
