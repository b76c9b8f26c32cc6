import type { ToolSpec } from '../core/spec.ts';

/** A tool's example as a conversation: what the person asks, the calls with their results, and what the model answers. */
interface SampleConversation {
  name: string;
  ask: string;
  input?: unknown;
  result: string;
  fails?: true | undefined;
  next: NonNullable<NonNullable<ToolSpec['examples']>[number]['next']>;
  answer: string;
}

/**
 * Returns those examples in the specs of these tools that are whole conversations, from a person's question to the model's
 * answer, and in which no other tools are called. Small models see them in the prompt.
 */
export function sampleConversations(tools: readonly ToolSpec[]): SampleConversation[] {
  const offered = new Set(tools.map(({ name }) => name));
  return tools.flatMap(({ name, examples = [] }) =>
    examples.flatMap(({ ask, input, result, fails, next = [], answer }) =>
      ask === undefined || answer === undefined || !next.every((call) => offered.has(call.name))
        ? []
        : [{ name, ask, input, result, fails, next, answer }],
    ),
  );
}

/**
 * Returns the main tools among these, in their order: those that appear in `sampleConversations`. A model whose window is
 * too small for all tools gets, of the studio's own, only the main ones.
 */
export function mainTools(tools: readonly ToolSpec[]): ToolSpec[] {
  const names = new Set(
    sampleConversations(tools).flatMap(({ name, next }) => [name, ...next.map((following) => following.name)]),
  );
  return tools.filter(({ name }) => names.has(name));
}
