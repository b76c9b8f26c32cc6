import { count } from './en.ts';

/** The texts about summaries of long threads, and about where the context goes, in English. They come with the views. */
export const compactionTexts = {
  summarized: 'Earlier messages summarized',
  stubbed: (n: number) => `${count(n, 'outdated result', 'outdated results')} left out`,
  sizes: (before: string, after: string) => `${before} → ${after} tokens`,
  detail: (model: string) =>
    `From here on, the model gets this summary by ${model} instead of the messages above, together with your own messages and the latest steps. The messages themselves stay in the thread.`,
  stubsDetail: (n: number) =>
    `${count(n, 'file that was read earlier has', 'files that were read earlier have')} changed or been read again since. The model is told that it can read them again.`,
  leftOut: (n: number) =>
    `The summary doesn’t cover the oldest ${count(n, 'entry', 'entries')}: they didn’t fit into the context of the model that wrote it.`,
  failed: (reason: 'nothing' | 'refused' | 'failed', model: string, detail: string) =>
    reason === 'nothing'
      ? 'There is nothing to summarize yet.'
      : reason === 'refused'
        ? `${model} couldn’t summarize the conversation (${detail.replace(/\.$/, '')}), so the oldest messages are left out when space runs out. Choose another model for summaries in Settings, then use “Compact now”.`
        : `${model} couldn’t be asked to summarize the conversation (${detail.replace(/\.$/, '')}), so the oldest messages are left out when space runs out. To try again, use “Compact now”.`,
  undo: 'Undo',
  redo: 'Use summary again',
  undone: 'Undone. The model gets the earlier messages again, as far as they fit.',
  next: 'The conversation will be summarized before the next answer.',
  cancel: 'Cancel',
  turnOff: (toolset: string, tokens: string) => `Turn off ${toolset} (${tokens} tokens)`,
  turnedOff: (toolset: string) => `${toolset} turned off`,
  before: 'Before',
  after: 'After',
  context: 'Context',
  sections: {
    system: 'System prompt',
    tools: 'Tools',
    protocol: 'Instructions for tools',
    summary: 'Summary',
    history: 'Messages',
    files: 'Files',
    results: 'Latest results',
    free: 'Free',
  },
  estimate: (estimated: string, reported: string) =>
    `Estimated: ${estimated} tokens. Reported by the provider: ${reported}.`,
  onlyEstimate: (estimated: string) => `Estimated: ${estimated} tokens. The provider didn’t report any.`,
  room: (budget: string, size: string) =>
    `A prompt can use ${budget} of ${size} tokens; the rest is reserved for the answer.`,
  unknownRoom: (budget: string) => `A prompt can use ${budget} tokens, because the size of the context is unknown.`,
};
