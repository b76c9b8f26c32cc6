import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A reply of a server that deviates from OpenAI's chat completions, reconstructed from a public report. */
export interface OddReply {
  id: string;
  kind: 'envelope' | 'transport' | 'error' | 'calls' | 'thoughts' | 'text';
  server: string;
  /** The report, or the document. */
  source: string;
  /** A sentence about what the server sends. */
  what: string;
  /** The assumptions that were made because the report does not say more. */
  note?: string;
  status: number;
  headers: Record<string, string>;
  /** As it goes over the wire. */
  body: string;
  expect: {
    text: string;
    reasoning?: string;
    calls: { name: string; arguments: unknown; argumentsJson?: string }[];
    /** A part of the sentence that a person is to see; empty if the server has none. */
    error?: string;
  };
}

/**
 * Replies that were collected from public reports and documents without a look at the reader. `docs/SERVERS.md` lists them.
 */
export const REPLIES: readonly OddReply[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'replies.json'), 'utf8'),
) as OddReply[];
