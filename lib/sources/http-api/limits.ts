/**
 * Limits for every HTTP API, on the page and on the command line: how many APIs, tools, and parameters there may be; the sizes
 * of an API's description, of an OpenAPI document that is imported, of requests, and of results; and the times that they may
 * take.
 */
export const REST_LIMITS = {
  /** APIs that one person can add. */
  apis: 32,
  /** Tools of one API. */
  tools: 200,
  /** Parameters of one tool. */
  parameters: 64,
  /** Headers of an API, or of one of its tools. */
  headers: 32,
  /** The description of an API as YAML text, in characters. */
  source: 500_000,
  /** The name of a parameter, the value of a header, a path, or a base URL, in characters. */
  text: 2_000,
  /** A tool's description, in characters. A longer one is refused, or cut if it is from an OpenAPI document. */
  description: 8_000,
  /** A tool's definition as JSON text, in characters. */
  definition: 100_000,
  /** All definitions of an API together, as JSON text, in characters. */
  definitions: 1_000_000,
  /** Nesting of objects and lists in the description of an API, in levels. */
  depth: 40,
  /** Values in the description of an API, objects and lists included. */
  values: 100_000,
  /** An OpenAPI document, in characters. */
  document: 16_000_000,
  /** Values in an OpenAPI document, objects and lists included. */
  documentValues: 3_000_000,
  /** Nesting of objects and lists in an OpenAPI document, in levels. */
  documentDepth: 100,
  /** Operations of an OpenAPI document that are listed; the rest is only counted. */
  operations: 5_000,
  /** Schemas that describe the arguments of one operation. */
  schemas: 5_000,
  /** The maximum length of a chain of references in an OpenAPI document. Chains without an end are refused in any case. */
  references: 50,
  /** The time limit for reading a description or an OpenAPI document, in milliseconds. */
  readMs: 60_000,
  /** The address of a request, in characters. */
  url: 16_000,
  /** The body of a request, in characters. */
  body: 1_000_000,
  /** The part of a response that is read, in bytes. */
  responseBytes: 5_000_000,
  /** The text of a result, in characters; the rest is cut. */
  resultText: 1_000_000,
  /** The part of an error's body that is reported, in characters. */
  errorText: 2_000,
  /** The time limit for a call, in milliseconds. */
  callMs: 60_000,
  /** The time limit for finding out whether web pages can call an API, in milliseconds. */
  probeMs: 10_000,
} as const;
