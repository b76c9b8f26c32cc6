/**
 * Removes the variables by which the agent's library would send conversations to a tracing service, or print them.
 * People have them in their shells for other programs.
 */
export function disableTracing(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env)) if (/^(LANGSMITH|LANGCHAIN)_/i.test(name)) delete env[name];
}
