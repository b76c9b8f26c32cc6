import * as z from 'zod';

/** One request to the web, which a tool sends for the call `toolCallId`. */
export interface WebRequest {
  url: string;
  method: 'GET' | 'HEAD';
  toolCallId: string;
  abortSignal: AbortSignal;
}

/** A web server's answer. */
export interface WebAnswer {
  /** The address that answered, after redirects within the host. */
  url: string;
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  /** The reason why the body is incomplete; absent if it is complete. */
  cut?: 'size' | 'time' | 'broken';
  /** The address on another host to which the server redirects. It is not followed. */
  redirectsTo?: string;
}

/**
 * The schema of a web server's answer to a request that code in the sandbox has sent with `fetch`: the address that answered,
 * the status, the headers, and the body's bytes in base64. Models get text instead. `isCut`: whether the body is incomplete.
 */
export const rawAnswerSchema = z.object({
  url: z.string(),
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  /** In base64. */
  body: z.string(),
  isCut: z.boolean(),
});

/** A web server's answer as code in the sandbox gets it, with the body in base64. */
export type RawAnswer = z.infer<typeof rawAnswerSchema>;

/** An HTML page or a PDF from the web, whose text only a parser can read. */
export type WebDocument = { type: 'html'; text: string; url: string } | { type: 'pdf'; data: Uint8Array };

/** The text of a document from the web; that of HTML is Markdown. `notes`: sentences about what is missing. */
export interface WebText {
  title?: string;
  text: string;
  notes: readonly string[];
}

/** Requests to the web, and the conversion of what they return. Both methods reject only with `ToolFailure`. */
export interface WebAccess {
  /**
   * Sends a request, and follows redirects within the host; one to another host is returned (`redirectsTo`). Rejects for
   * addresses that may not be called.
   */
  request(request: WebRequest): Promise<WebAnswer>;
  /** Converts a document to text, isolated from the studio's page; rejects if that takes too long. */
  read(document: WebDocument, options: { abortSignal: AbortSignal }): Promise<WebText>;
}
