import { MCP_LIMITS } from './limits.ts';

/** A request for the values that a server suggests for an argument of a prompt or of a resource template (`of`). */
export interface CompletionRequest {
  of: { prompt: string } | { uriTemplate: string };
  /** The argument, with the text that has been typed so far. */
  argument: { name: string; value: string };
  /** The other arguments, as far as they are filled in. */
  known: Record<string, string>;
}

/**
 * Selects from a server's suggestions for an argument those to offer: each only once, none that is empty or too long to be
 * filled in, and no more than `MCP_LIMITS.suggestions`.
 */
export const suggestionsIn = (values: readonly string[]): string[] =>
  [...new Set(values)]
    .filter((value) => value !== '' && value.length <= MCP_LIMITS.promptArgument)
    .slice(0, MCP_LIMITS.suggestions);
