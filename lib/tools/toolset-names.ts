/** The studio's own toolsets (groups of tools) that the user can turn on and off per thread. */
export const TOOLSETS = ['browser', 'files', 'web'] as const;

/**
 * The toolsets that are on in a thread unless the user says otherwise. `web` is not, because its texts come from strangers.
 */
export const DEFAULT_TOOLSETS: readonly string[] = ['browser', 'files'];

/**
 * The toolset of `search_tools` and `use_tool`, which find and call external tools. It is on in threads with `files` or an
 * external toolset.
 */
export const TOOL_SEARCH = 'tool-search';

/**
 * The toolset of `read_skill`, which reads the project's skills: instructions for tasks, in files of the workspace. It is on
 * in threads with `files`.
 */
export const SKILLS = 'skills';

/** The toolset of the tools that a workspace defines in its own files. It is on in threads with `files`. */
export const PROJECT = 'project';

/** Checks whether a toolset is the studio's own. Others come from tool servers, workspaces, and the like. */
export const isBuiltInToolset = (toolset: string): boolean =>
  toolset === TOOL_SEARCH || toolset === SKILLS || TOOLSETS.some((own) => own === toolset);

/**
 * Checks whether people see a toolset as a group of its own, such as in the settings: all but `TOOL_SEARCH` and `SKILLS`.
 */
export const isShownToolset = (toolset: string): boolean => toolset !== TOOL_SEARCH && toolset !== SKILLS;

/**
 * Checks whether a toolset is on in a thread whose settings list `toolsets`. Some toolsets are on with others, such as
 * `SKILLS` with `files`.
 */
export const isToolsetOn = (toolset: string, toolsets: readonly string[]): boolean =>
  toolset === TOOL_SEARCH
    ? toolsets.includes('files') || toolsets.some((one) => !isBuiltInToolset(one))
    : toolsets.includes(toolset === SKILLS || toolset === PROJECT ? 'files' : toolset);

/**
 * The kind of a source of external tools that is a tool server. The names of the toolsets of such sources begin with it,
 * such as `mcp-github`.
 */
export const TOOL_SERVER = 'mcp';

/**
 * The kind of a source of external tools that is an HTTP API. The names of the toolsets of such sources begin with it, such
 * as `rest-weather`.
 */
export const HTTP_API = 'rest';

/** Returns the name of the toolset of a source's tools: `mcp-github` for the kind `mcp` and the source `github`. */
export const toolsetOf = (kind: string, source: string): string => `${kind}-${source}`;

/**
 * The kind and the name of the source that a toolset comes from; undefined for the studio's own toolsets, and for the tools
 * that a workspace defines.
 */
export function sourceOf(toolset: string): { kind: string; name: string } | undefined {
  const [, kind, name] = (!isBuiltInToolset(toolset) && /^([a-z]+)-(.+)$/.exec(toolset)) || [];
  return kind === undefined || name === undefined ? undefined : { kind, name };
}
