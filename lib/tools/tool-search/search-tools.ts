import MiniSearch from 'minisearch';
import * as z from 'zod';
import { startOf } from '#lib/base/cut-text.ts';
import type { ToolSpec } from '../core/spec.ts';
import { defineTool } from '../core/tool.ts';
import { isBuiltInToolset, TOOL_SEARCH } from '../toolset-names.ts';

/** The most tools that one search returns. */
export const FOUND_TOOLS_MAX = 8;
/** The most words of a query that count. */
const QUERY_WORDS_MAX = 12;
/** The part of a description that is searched and shown, in characters. */
const DESCRIPTION_MAX = 600;
/** The longest schema that is shown as it is, in characters. */
const SCHEMA_MAX = 4_000;

/** Words of names such as `createIssue` and `create_issue`, and of texts. */
const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** The external tools, which models search for because prompts do not list them. */
const hiddenTools = (tools: readonly ToolSpec[]): readonly ToolSpec[] =>
  tools.filter(({ toolset }) => !isBuiltInToolset(toolset));

function find(tools: readonly ToolSpec[], query: string): readonly ToolSpec[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const exact = byName.get(query.trim());
  if (exact !== undefined) return [exact];
  const index = new MiniSearch({
    idField: 'name',
    fields: ['name', 'title', 'description', 'arguments'],
    tokenize: wordsOf,
    searchOptions: { boost: { name: 4, title: 3 }, prefix: true, fuzzy: 0.2 },
  });
  index.addAll(
    tools.map(({ name, description, metadata, inputSchema }) => ({
      name,
      description: description.slice(0, DESCRIPTION_MAX),
      title: String(metadata?.title ?? ''),
      arguments: Object.keys(inputSchema.properties ?? {}).join(' '),
    })),
  );
  return index
    .search(wordsOf(query).slice(0, QUERY_WORDS_MAX).join(' '))
    .flatMap(({ id }) => byName.get(String(id)) ?? []);
}

function describe({ name, description, inputSchema }: ToolSpec): string {
  const schema = JSON.stringify(inputSchema);
  const text = description.length > DESCRIPTION_MAX ? `${startOf(description, DESCRIPTION_MAX)}…` : description;
  const properties = Object.keys(inputSchema.properties ?? {}).join(', ');
  const args = schema.length > SCHEMA_MAX ? `${properties} (the schema is too long to show)` : schema;
  return `${name}: ${text}\nArguments: ${args}`;
}

/**
 * Lets the model search external tools, by words or by an exact name; prompts do not list them, because that would take too
 * much room. Returns the `FOUND_TOOLS_MAX` that fit best, with their descriptions and the schemas of their arguments.
 */
export const searchTools = defineTool({
  name: 'search_tools',
  description:
    'Searches the tools that are not listed, by what they do, by their names, or by a server’s name. Returns their names, descriptions and the JSON Schemas of their arguments. Call what you find with use_tool.',
  inputSchema: z.object({
    query: z.string().min(1).max(500).describe('What the tool should do, in a few words, or its exact name.'),
  }),
  toolset: TOOL_SEARCH,
  effect: 'read',
  examples: [
    {
      description: 'Find a tool for a task',
      input: { query: 'create issue' },
      result:
        'tracker_create_issue: Creates an issue.\nArguments: {"type":"object","properties":{"title":{"type":"string"}}}',
    },
  ],
  presentation: { verb: 'search', target: 'query', names: ['query'] },
  async execute({ query }, { offered }) {
    const tools = hiddenTools(offered());
    const found = find(tools, query);
    if (found.length === 0)
      return { content: `None of the ${tools.length} tools match. Try other words, or the name of a server.` };
    const shown = found.slice(0, FOUND_TOOLS_MAX).map(describe);
    const more = found.length - FOUND_TOOLS_MAX;
    return {
      content: [...shown, ...(more > 0 ? [`${more} more. Search for something more specific to see them.`] : [])].join(
        '\n\n',
      ),
    };
  },
});
