/** Why a server cannot be used, for people: `detail` says what happened. */
export type McpProblem = {
  code: 'unreachable' | 'needs-login' | 'refused' | 'not-mcp' | 'slow' | 'ended' | 'failed';
  detail: string;
};
