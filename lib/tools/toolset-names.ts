/** The toolsets that the user can turn on and off per thread. */
export const TOOLSETS = ['browser', 'files', 'web'] as const;

/** The toolsets that are on unless the user says otherwise. The web is for those who want it: what is read there is foreign. */
export const DEFAULT_TOOLSETS: readonly string[] = ['browser', 'files'];

/** The tools that find other tools. They are on where external tools can be: of servers, or of a workspace. */
export const TOOL_SEARCH = 'tool-search';

/** The tool that reads skills of the project. It is on where files are. */
export const SKILLS = 'skills';

/** The tools that a workspace comes with. They are on where files are. */
export const PROJECT = 'project';

/** Checks whether a toolset is the studio's own. Others come from tool servers, workspaces, and the like. */
export const isBuiltInToolset = (toolset: string): boolean =>
  toolset === TOOL_SEARCH || toolset === SKILLS || TOOLSETS.some((own) => own === toolset);

/** Checks whether people see a toolset as a group of its own. */
export const isShownToolset = (toolset: string): boolean => toolset !== TOOL_SEARCH && toolset !== SKILLS;

/** Checks whether a toolset is on in a thread whose settings list these. */
export const isToolsetOn = (toolset: string, toolsets: readonly string[]): boolean =>
  toolset === TOOL_SEARCH
    ? toolsets.includes('files') || toolsets.some((one) => !isBuiltInToolset(one))
    : toolsets.includes(toolset === SKILLS || toolset === PROJECT ? 'files' : toolset);

/** The toolset of a tool server's tools. */
export const toolsetOf = (serverName: string): string => `mcp-${serverName}`;

/** The server's name in a toolset; undefined if the toolset is none of a server. */
export const serverOf = (toolset: string): string | undefined => /^mcp-(.+)$/.exec(toolset)?.[1];

/** The toolset of an HTTP API's tools. */
export const toolsetOfApi = (apiName: string): string => `rest-${apiName}`;

/** The API's name in a toolset; undefined if the toolset is none of an API. */
export const apiOf = (toolset: string): string | undefined => /^rest-(.+)$/.exec(toolset)?.[1];

/** The name of the server or the API that a toolset is of; undefined if it is of neither. */
export const sourceOf = (toolset: string): string | undefined => serverOf(toolset) ?? apiOf(toolset);
