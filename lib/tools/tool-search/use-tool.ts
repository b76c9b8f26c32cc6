import * as z from 'zod';
import { defineTool } from '../core/tool.ts';
import { ToolFailure } from '../core/tool-call.ts';
import { TOOL_SEARCH } from '../toolset-names.ts';

/**
 * Lets the model call a tool that a search has found. In place of this call, the executor checks and runs the call of the tool
 * that it names (see `resolveDelegatedCall`). If it names no tool that can be called like this, it fails as `no-such-tool`.
 */
export const useTool = defineTool({
  name: 'use_tool',
  description:
    'Calls a tool that search_tools has found, and returns its result. The arguments must fit the schema that the search has shown.',
  inputSchema: z.object({
    name: z.string().max(128).describe('The exact name of the tool.'),
    arguments: z.record(z.string(), z.unknown()).default({}).describe('Its arguments, as an object.'),
  }),
  toolset: TOOL_SEARCH,
  effect: 'execute',
  delegates: true,
  examples: [
    {
      description: 'Call a tool that was found',
      input: { name: 'tracker_create_issue', arguments: { title: 'Fix the build' } },
      result: 'Created issue 12.',
    },
  ],
  presentation: { verb: 'call', target: 'name' },
  // The named call runs in place of this one. Only calls that name no tool that can be called like this get here.
  async execute({ name }) {
    throw new ToolFailure(
      'no-such-tool',
      `There is no tool “${name}” that use_tool can call. Call listed tools directly; find others with search_tools.`,
    );
  },
});
