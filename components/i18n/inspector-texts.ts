import { count } from './en.ts';

/** The texts of the context inspector in English. They are loaded with it, not with the page. */
export const inspectorTexts = {
  title: 'Prompt sent to the model',
  step: (n: number) => `Step ${n}`,
  verified:
    'Rebuilt by the code that sent it. Its hash matches the one stored at the time, so this is exactly what was sent.',
  differs:
    'Rebuilt, but its hash doesn’t match the stored one, so it may differ from what was sent. A tool, a prompt fragment, or the model’s settings may have changed since, or the thread was imported or restored from a backup.',
  failed: 'The prompt couldn’t be rebuilt.',
  model: 'Model',
  toolCalling: 'Tool calling',
  duration: 'Duration',
  tokens: 'Tokens',
  finishReason: 'Finish reason',
  finishReasons: {
    stop: 'Done',
    'tool-calls': 'Tool calls',
    length: 'Length limit',
    'content-filter': 'Content filter',
  } as Record<string, string>,
  prompt: 'Prompt',
  protocolTokens: 'Tool protocol tokens (estimate)',
  tools: (n: number) => `${count(n, 'tool', 'tools')} sent to the provider`,
  roles: { system: 'System', user: 'User', assistant: 'Assistant', tool: 'Tool' } as Record<string, string>,
};
