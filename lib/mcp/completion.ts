import { MCP_LIMITS } from './limits.ts';

/** An argument of a prompt or of a resource template for which a server may suggest values. */
export interface CompletionRequest {
  of: { prompt: string } | { uriTemplate: string };
  /** What is typed so far. */
  argument: { name: string; value: string };
  /** The other arguments, as far as they are filled in. */
  known: Record<string, string>;
}

/** What of a server's suggestions is offered: each once, and nothing that is too long to be filled in. */
export const suggestionsIn = (values: readonly string[]): string[] =>
  [...new Set(values)]
    .filter((value) => value !== '' && value.length <= MCP_LIMITS.promptArgument)
    .slice(0, MCP_LIMITS.suggestions);
