/**
 * Removes the variables that make LangChain send conversations to a tracing service, or print them. People may have set
 * them in their shells for other programs.
 */
export function disableTracing(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env)) if (/^(LANGSMITH|LANGCHAIN)_/i.test(name)) delete env[name];
}
