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

/** The sample conversations whose tools are all on offer. */
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

/** The main tools, in their order: those that the sample conversations use. */
export function mainTools(tools: readonly ToolSpec[]): ToolSpec[] {
  const names = new Set(
    sampleConversations(tools).flatMap(({ name, next }) => [name, ...next.map((following) => following.name)]),
  );
  return tools.filter(({ name }) => names.has(name));
}
