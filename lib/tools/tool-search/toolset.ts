import type { Fragment } from '../catalogue/catalogue.ts';
import { PROJECT, sourceOf, TOOL_SEARCH } from '../toolset-names.ts';

/** The most servers that a fragment names. */
const NAMED_SERVERS = 40;

/**
 * Makes the section of the system prompt about tools that the model has to search for: where they come from, and how many there
 * are.
 * `toolsets`: the toolset of each tool, so that one occurs as often as it has tools. The text has nothing that a server says
 * about itself, and does not change with the descriptions of its tools.
 */
export function toolSearchFragment(toolsets: readonly string[]): Fragment {
  const counts = new Map<string, number>();
  for (const toolset of toolsets) {
    const server = sourceOf(toolset)?.name ?? (toolset === PROJECT ? 'project' : undefined);
    if (server !== undefined) counts.set(server, (counts.get(server) ?? 0) + 1);
  }
  const names = [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
  const listed = names.slice(0, NAMED_SERVERS).map(([name, count]) => `${name} (${count})`);
  const servers = [...listed, ...(names.length > NAMED_SERVERS ? ['others'] : [])].join(', ');
  return {
    toolset: TOOL_SEARCH,
    title: 'More Tools',
    sections: [
      {
        text: `There are more tools than are listed here, from these servers, with the number of their tools: ${servers}. Look for them with \`search_tools\` before you say that something cannot be done, and call what you find with \`use_tool\`.`,
        compact: `More tools, from ${servers}: find them with \`search_tools\`, call them with \`use_tool\`.`,
      },
    ],
  };
}

/**
 * Returns the section of the system prompt about tools that the model has to search for (see `toolSearchFragment`), in a list,
 * if `toolsets` (the toolset of each tool that is offered) include `TOOL_SEARCH`; otherwise an empty list.
 */
export const searchFragments = (toolsets: readonly string[]): readonly Fragment[] =>
  toolsets.includes(TOOL_SEARCH) ? [toolSearchFragment(toolsets)] : [];
