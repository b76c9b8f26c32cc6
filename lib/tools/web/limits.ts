/**
 * The limits of one request to the web, whichever server answers: of its time and redirects, of the body that is read, and of
 * the text that a model gets of it. docs/WEB.md explains them.
 */
export const WEB_LIMITS = {
  /** An address, in characters. */
  url: 4_000,
  /** The part of an unpacked body that is read, in bytes; the rest is cut. */
  bodyBytes: 1_000_000,
  /** The time limit of a request and its body together, in milliseconds. */
  totalMs: 30_000,
  /** The time limit of the body alone, after which it is cut. It is shorter, so that what has arrived can be read. */
  bodyMs: 20_000,
  /** The time limit for converting a document, in milliseconds; an HTML page that takes longer becomes plain text. */
  readMs: 8_000,
  /** The time limit for turning a page into plain text, in milliseconds. */
  plainMs: 2_000,
  /** The number of redirects within one host that are followed. */
  redirects: 5,
  /** The part of a text that a model gets at once, in characters; it can ask for the next part. */
  shownText: 40_000,
  /** The part of an error page that a model gets, in characters. */
  shownError: 2_000,
  /** A page's title, in characters. */
  title: 300,
  /** The number of a page's elements; a page with more is read as plain text. */
  elements: 30_000,
  /** The nesting of a page's elements, in levels; a page that goes deeper is read as plain text. */
  depth: 300,
} as const;

/**
 * The limits of images that a model's answers show from other sites, in bytes: the size of one image, and of all images
 * together that the page keeps in memory.
 */
export const ANSWER_IMAGE_LIMITS = {
  /** One image, in bytes; a larger one is not shown. */
  bytes: 10_000_000,
  /** Images that the studio keeps in memory, in bytes; the oldest are dropped first, and loaded again when shown. */
  keptBytes: 50_000_000,
} as const;

/**
 * The limits of the record of requests to other hosts: how many it keeps, how long their texts are, and how often it is saved.
 */
export const EGRESS_LIMITS = {
  /** The number of requests that are kept; the oldest are dropped first. */
  entries: 1_000,
  /** The reason why a request was refused or failed, in characters. */
  reason: 300,
  /** The name of a host, of a tool, and the like, in characters. */
  name: 300,
  /** The shortest interval between two saves of the requests, in milliseconds. */
  storeMs: 1_000,
} as const;

/** The most hosts that the studio remembers as allowed in all threads; the oldest are dropped first. */
export const ALLOWED_HOSTS_MAX = 500;
