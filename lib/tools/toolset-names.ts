/** The toolsets that the user can turn on and off per thread. */
export const TOOLSETS = ['browser', 'files', 'web'] as const;

/** The toolsets that are on unless the user says otherwise. `web` is not, because its texts come from strangers. */
export const DEFAULT_TOOLSETS: readonly string[] = ['browser', 'files'];

/** The toolset of the tools that find external tools. It is on in threads with `files` or an external toolset. */
export const TOOL_SEARCH = 'tool-search';

/** The toolset of the tool that reads the project's skills. It is on in threads with `files`. */
export const SKILLS = 'skills';

/** The toolset of the tools that a workspace defines. It is on in threads with `files`. */
export const PROJECT = 'project';

/** Checks whether a toolset is the studio's own. Others come from tool servers, workspaces, and the like. */
export const isBuiltInToolset = (toolset: string): boolean =>
  toolset === TOOL_SEARCH || toolset === SKILLS || TOOLSETS.some((own) => own === toolset);

/** Checks whether people see a toolset as a group of its own. */
export const isShownToolset = (toolset: string): boolean => toolset !== TOOL_SEARCH && toolset !== SKILLS;

/** Checks whether a toolset is on in a thread whose settings list `toolsets`. */
export const isToolsetOn = (toolset: string, toolsets: readonly string[]): boolean =>
  toolset === TOOL_SEARCH
    ? toolsets.includes('files') || toolsets.some((one) => !isBuiltInToolset(one))
    : toolsets.includes(toolset === SKILLS || toolset === PROJECT ? 'files' : toolset);

/** The toolset of a tool server's tools. */
export const toolsetOf = (serverName: string): string => `mcp-${serverName}`;

/** The name of the tool server that a toolset comes from; undefined if it does not come from one. */
export const serverOf = (toolset: string): string | undefined => /^mcp-(.+)$/.exec(toolset)?.[1];

/** The toolset of an HTTP API's tools. */
export const toolsetOfApi = (apiName: string): string => `rest-${apiName}`;

/** The name of the HTTP API that a toolset comes from; undefined if it does not come from one. */
export const apiOf = (toolset: string): string | undefined => /^rest-(.+)$/.exec(toolset)?.[1];

/** The name of the tool server or HTTP API that a toolset comes from; undefined if it comes from neither. */
export const sourceOf = (toolset: string): string | undefined => serverOf(toolset) ?? apiOf(toolset);
