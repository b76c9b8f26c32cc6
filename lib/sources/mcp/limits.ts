/**
 * Limits for every tool server, no matter who runs it: how many entries it can offer, the sizes of what it sends, and the times
 * that it may take.
 */
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
  /**
   * All tools of a server together, and likewise its prompts, resources, and templates, as JSON text, in characters; more are
   * not offered.
   */
  listing: 1_000_000,
  /** All pages of one of a server's lists together, as JSON text, in characters; a longer list is not read. */
  listRead: 16_000_000,
  /** Prompts of one server; more are not offered. */
  prompts: 200,
  /** Resource templates of one server; more are not offered. */
  templates: 200,
  /** Arguments of one prompt or resource template; one with more is not offered. */
  promptArguments: 20,
  /** The value of an argument of a prompt or a resource template, in characters. */
  promptArgument: 10_000,
  /** Values that a server suggests for an argument; the rest is left out. */
  suggestions: 100,
  /** The time limit for suggesting values, in milliseconds. */
  completeMs: 5_000,
  /** Resources of one server; more are not offered. */
  resources: 1_000,
  /** The address of a resource, or the template of one, in characters. */
  uri: 2_000,
  /** The text that a prompt puts into the message box, in characters. */
  promptText: 100_000,
  /** A resource or the parts of a prompt that are put into a message: texts, and images in base64, in characters. */
  attached: 8_000_000,
  /** Parts of a resource or messages of a prompt; the rest is left out. */
  attachedParts: 50,
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
  /** The structured part of a result as JSON text, in characters; a result with a longer one is a failure. */
  resultData: 1_000_000,
  /** One response of a server, in bytes: a body, or an event of a stream. */
  responseBytes: 16_777_216,
  /** The number of times that a server may ask for input before it answers one call. */
  rounds: 10,
  /** Fields of a form by which a server asks the person. */
  formFields: 30,
  /** Choices of a field. */
  formChoices: 200,
  /** A text of a form, such as the title of a field, in characters. */
  formText: 2_000,
  /** The text that a person writes into a field, in characters. */
  formValue: 10_000,
  /** The time limit for finding out which protocol a server speaks, in milliseconds. */
  connectMs: 15_000,
  /** The time limit for listing what a server offers, in milliseconds. */
  listMs: 15_000,
  /** The pause before a server that reports changes is asked again what it offers, in milliseconds. */
  relistMs: 2_000,
  /** Messages that a server may send in a second. One that sends more could keep this machine busy. */
  messagesPerSecond: 5_000,
  /** The minimum time for which a list counts as the newest, even if the server states less, in milliseconds. */
  freshMs: 5_000,
  /** The maximum time without a report of progress during a call, in milliseconds. */
  silenceMs: 120_000,
  /** The time limit for a whole call, in milliseconds. */
  callMs: 1_800_000,
} as const;
