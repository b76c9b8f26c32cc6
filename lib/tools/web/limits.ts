/** What one request to the web may cost, whoever answers. docs/WEB.md explains the limits. */
export const WEB_LIMITS = {
  /** An address, in characters. */
  url: 4_000,
  /** What is read of a body, once it is unpacked, in bytes; the rest is cut. */
  bodyBytes: 1_000_000,
  /** How long a request and reading its body may take in all, in milliseconds. */
  totalMs: 30_000,
  /** How much of that may pass until the body is cut, so that some is left to read what has arrived. */
  bodyMs: 20_000,
  /** How long a document may take to be read; a page then becomes plain text. */
  readMs: 8_000,
  /** How long a page may take to become plain text. */
  plainMs: 2_000,
  /** Redirects within one host that are followed. */
  redirects: 5,
  /** What a model gets of a text at once, in characters; it can ask for what follows. */
  shownText: 40_000,
  /** What a model is told of the page that comes with an error, in characters. */
  shownError: 2_000,
  /** A page's title, in characters. */
  title: 300,
  /** Elements of a page; one with more is read as plain text. */
  elements: 30_000,
  /** How deep they are nested; one that goes deeper is read as plain text. */
  depth: 300,
  /** Pages of a PDF; the rest is left out. */
  pdfPages: 300,
  /** The text of a document, in characters; the rest is cut. */
  documentText: 1_000_000,
  /** One block of memory for a PDF, in bytes: its streams are packed, and may become much larger than the file. */
  pdfBlockBytes: 67_108_864,
} as const;

/** Limits of images of other sites that answers show. */
export const ANSWER_IMAGE_LIMITS = {
  /** One image, in bytes; a larger one is not shown. */
  bytes: 10_000_000,
  /** Images that a page keeps, in bytes; the oldest go first, and are loaded again when they are shown. */
  keptBytes: 50_000_000,
} as const;

/** Limits of the record of requests. */
export const EGRESS_LIMITS = {
  /** Requests that are kept; the oldest go first. */
  entries: 1_000,
  /** The reason of a refusal, in characters. */
  reason: 300,
  /** The name of a host, of a tool, and the like, in characters. */
  name: 300,
  /** How often they are stored at most, in milliseconds. */
  storeMs: 1_000,
} as const;

/** Hosts that a person may allow everywhere; the oldest go first. */
export const ALLOWED_HOSTS_MAX = 500;
