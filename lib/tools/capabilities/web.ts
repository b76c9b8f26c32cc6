import * as z from 'zod';

/** One request, which a tool makes for a call. */
export interface WebRequest {
  url: string;
  method: 'GET' | 'HEAD';
  toolCallId: string;
  abortSignal: AbortSignal;
}

/** The answer of a server. */
export interface WebAnswer {
  /** Where the answer comes from, after redirects within the host. */
  url: string;
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  /** The reason why the body is incomplete; absent if it is complete. */
  cut?: 'size' | 'time' | 'broken';
  /** Another host, to which the server redirects: it is not followed. */
  redirectsTo?: string;
}

/** An answer as code gets it: nothing of it has been read. */
export const rawAnswerSchema = z.object({
  url: z.string(),
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  /** In base64. */
  body: z.string(),
  isCut: z.boolean(),
});

/** An answer as code gets it. */
export type RawAnswer = z.infer<typeof rawAnswerSchema>;

/** A document that has to be read by a parser. */
export type WebDocument = { type: 'html'; text: string; url: string } | { type: 'pdf'; data: Uint8Array };

/** A document’s text. HTML is Markdown. `notes`: what is missing of it, as sentences. */
export interface WebText {
  title?: string;
  text: string;
  notes: readonly string[];
}

/** Requests to the web. Both reject only with `ToolFailure`. */
export interface WebAccess {
  /** Sends a request. Follows only redirects within the host, and is refused where addresses may not be called. */
  request(request: WebRequest): Promise<WebAnswer>;
  /** Reads a document apart from everything else, and gives up when that takes too long. */
  read(document: WebDocument, options: { abortSignal: AbortSignal }): Promise<WebText>;
}
