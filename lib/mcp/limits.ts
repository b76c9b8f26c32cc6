/** What a tool server may cost, whoever runs it. */
export const MCP_LIMITS = {
  /** Servers that one person or operator can add. */
  servers: 32,
  /** Pages of a list that are read. */
  pages: 32,
  /** Tools of one server; more are not offered. */
  tools: 200,
  /** A tool's name as the server calls it, in characters. */
  name: 64,
  /** A tool's description, in characters; the rest is cut. */
  description: 8_000,
  /** A tool's definition as JSON text, in characters. */
  definition: 100_000,
  /** All definitions of a server together, as JSON text, in characters; more are not offered. */
  listing: 1_000_000,
  /** Nesting of objects and lists in a definition, in levels. */
  depth: 30,
  /** Values in a definition, objects and lists included. */
  values: 20_000,
  /** The text of a result, in characters; the rest is cut. */
  resultText: 1_000_000,
  /** Blocks of a result; the rest is left out. */
  resultBlocks: 200,
  /** Images of a result together, in characters of base64; the rest is left out. */
  resultImages: 8_000_000,
  /** The structured part of a result as JSON text, in characters. */
  resultData: 1_000_000,
  /** One response of a server, in bytes: a body, or a line of a stream. */
  responseBytes: 16_777_216,
  /** How long a server may take to say which protocol it speaks, in milliseconds. */
  connectMs: 15_000,
  /** How long it may take to list its tools, in milliseconds. */
  listMs: 15_000,
  /** How long a call may run without a word of progress, in milliseconds. */
  silenceMs: 120_000,
  /** How long a call may run at all, in milliseconds. */
  callMs: 1_800_000,
} as const;
