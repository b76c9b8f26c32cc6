import type { AgentLimits } from '#lib/agent/limits.ts';
import type { ServerEnv } from './env.ts';

/** Returns the agent's limits, such as the maximum number of steps in a turn, as the environment variables set them. */
export const toAgentLimits = (env: ServerEnv): AgentLimits => ({
  maxSteps: env.AGENT_MAX_STEPS,
  resultShare: env.AGENT_RESULT_SHARE,
  replyMaxChars: env.REPLY_MAX_CHARS,
  maxRetries: env.AGENT_MAX_RETRIES,
});
